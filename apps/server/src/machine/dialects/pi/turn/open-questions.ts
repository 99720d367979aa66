// Open questions of the program's extensions. The program does not finish an abort while one is open, so an abort withdraws
// them first.
import { questionMethods, type UiRequestEvent } from "@patchbay/protocol";
import type { TypedFrameWriter } from "../../frame-writer.ts";

/** The same limit as the server's for a session. */
const maxOpen = 100;

export class OpenQuestions {
  readonly #open = new Set<string>();
  readonly #out: TypedFrameWriter;
  readonly #send: (line: string) => void;

  constructor(out: TypedFrameWriter, send: (line: string) => void) {
    this.#out = out;
    this.#send = send;
  }

  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Returns true when the request is a question. */
  track({ id, method, targetId }: UiRequestEvent): boolean {
    if (method === "cancel" && targetId !== undefined) this.#open.delete(targetId);
    if (!questionMethods.has(method) || this.#open.size >= maxOpen) return false;
    this.#open.add(id);
    return true;
  }

  /** Sends only the fields that the program knows: no reasons, and never a null. */
  answer(given: Record<string, unknown>): void {
    const { id, value, confirmed, cancelled } = given;
    if (typeof id !== "string") return;
    this.#open.delete(id);
    const type = "extension_ui_response";
    if (typeof value === "string") this.#respond({ type, id, value });
    else if (typeof confirmed === "boolean") this.#respond({ type, id, confirmed });
    else if (cancelled !== undefined) this.#respond({ type, id, cancelled: true });
  }

  withdrawAll(): void {
    for (const id of this.#open) {
      this.#respond({ type: "extension_ui_response", id, cancelled: true });
      this.#out.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    }
    this.#open.clear();
  }

  #respond(line: object): void {
    this.#send(JSON.stringify(line));
  }
}
