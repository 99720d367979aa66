// Questions of the program's extensions that nobody has answered yet. An abort waits for them for ever, so it
// answers them first.
import { questionMethods, type UiRequestEvent } from "@patchbay/protocol";
import type { TypedFrameOutput } from "../../frame-output.ts";

/** As many as the server keeps open for a session. */
const mostOpen = 100;

export class OpenQuestions {
  readonly #open = new Set<string>();
  readonly #out: TypedFrameOutput;
  readonly #send: (line: string) => void;

  constructor(out: TypedFrameOutput, send: (line: string) => void) {
    this.#out = out;
    this.#send = send;
  }

  get any(): boolean {
    return this.#open.size > 0;
  }

  /** True when it wants an answer. */
  asked({ id, method, targetId }: UiRequestEvent): boolean {
    if (method === "cancel" && targetId !== undefined) this.#open.delete(targetId);
    if (!questionMethods.has(method) || this.#open.size >= mostOpen) return false;
    this.#open.add(id);
    return true;
  }

  /** Only what the program knows is passed on: no reasons, and never a null. */
  answer(given: Record<string, unknown>): void {
    const { id, value, confirmed, cancelled } = given;
    if (typeof id !== "string") return;
    this.#open.delete(id);
    const type = "extension_ui_response";
    if (typeof value === "string") this.#tell({ type, id, value });
    else if (typeof confirmed === "boolean") this.#tell({ type, id, confirmed });
    else if (cancelled !== undefined) this.#tell({ type, id, cancelled: true });
  }

  withdrawAll(): void {
    for (const id of this.#open) {
      this.#tell({ type: "extension_ui_response", id, cancelled: true });
      this.#out.frame({
        type: "extension_ui_request",
        id: `${id}-cancel`,
        method: "cancel",
        targetId: id,
      });
    }
    this.#open.clear();
  }

  #tell(line: object): void {
    this.#send(JSON.stringify(line));
  }
}
