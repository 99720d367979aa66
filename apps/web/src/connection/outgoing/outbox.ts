// Prompts that were sent and not yet answered for. They live in localStorage until the server's
// response, and go out again after a reconnect with the same id, which the server runs only once.
import { PromptImage } from "@patchbay/protocol";
import * as z from "zod/mini";

const OutboxItem = z.object({
  id: z.string(),
  session: z.string(),
  /** Ids are scoped to a viewer, so only the tab that wrote an item may send it again. */
  viewer: z.string(),
  message: z.string(),
  images: z.optional(z.array(PromptImage)),
  /** How it is sent; absent: as a prompt. */
  as: z.optional(z.enum(["prompt", "steer", "command"])),
  at: z.number(),
});
export type OutboxItem = z.infer<typeof OutboxItem>;
export type SendAs = NonNullable<OutboxItem["as"]>;

/** The line that an item becomes. A slash command is its first word; what follows are its arguments. */
export function outgoing({ id, as = "prompt", message, images }: OutboxItem): object {
  if (as !== "command") return { type: as, id, message, ...(images === undefined ? {} : { images }) };
  const [, name = "", args = ""] = /^\/(\S*)\s*([^]*)$/.exec(message) ?? [];
  return { type: "run_command", id, name, ...(args === "" ? {} : { args }) };
}

const key = "patchbay.outbox";
/** More unanswered prompts than a person writes by hand; beyond it the oldest is forgotten. */
const limit = 50;

export class Outbox {
  /** A function, because merely naming localStorage throws where it is forbidden. */
  readonly #storage: () => Pick<Storage, "getItem" | "setItem">;
  /** What storage refused to keep (it is full, or forbidden): held only as long as the page. */
  #memory: OutboxItem[] = [];

  constructor(storage: () => Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
  }

  add(item: OutboxItem): void {
    if (!this.#write([...this.#read(), item].slice(-limit))) {
      this.#memory = [...this.#memory, item].slice(-limit);
    }
  }

  remove(id: string): OutboxItem | undefined {
    const found = this.#all().find((item) => item.id === id);
    if (found === undefined) return undefined;
    this.#memory = this.#memory.filter((item) => item.id !== id);
    this.#write(this.#read().filter((item) => item.id !== id));
    return found;
  }

  /** What this viewer still has to send in this session, oldest first. */
  pending(session: string, viewer: string): OutboxItem[] {
    return this.#all().filter((item) => item.session === session && item.viewer === viewer);
  }

  /** Takes over what a tab that is long gone never got through; its text belongs to a person. */
  takeAbandoned(session: string, viewer: string, before: number): OutboxItem[] {
    const abandoned = this.#read().filter(
      (item) => item.session === session && item.viewer !== viewer && item.at < before,
    );
    for (const item of abandoned) this.remove(item.id);
    return abandoned;
  }

  #all(): OutboxItem[] {
    return [...this.#read(), ...this.#memory];
  }

  #read(): OutboxItem[] {
    try {
      const read = z.array(OutboxItem).safeParse(JSON.parse(this.#storage().getItem(key) ?? "[]"));
      return read.success ? read.data : [];
    } catch {
      return [];
    }
  }

  #write(items: OutboxItem[]): boolean {
    try {
      this.#storage().setItem(key, JSON.stringify(items));
      return true;
    } catch {
      return false;
    }
  }
}
