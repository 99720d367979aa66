// The ACP agent of testing/workers as a worker, and what its tests have in common.
import type { Message, Response } from "@patchbay/protocol";
import { fixtureWorker } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";

/** A profile; `kinds` say what kind of agent it is: see the program. */
export const acpAgent = (...kinds: string[]) => ({
  dialect: "acp",
  command: fixtureWorker("acp-agent", ...kinds),
  env: ["SOME_API_KEY"],
});

export const frames = (viewer: TestViewer): Record<string, unknown>[] =>
  viewer.frames.map((text) => JSON.parse(text) as Record<string, unknown>);

export const said = (message: Message | undefined): string =>
  (message?.content ?? []).map((block) => ("text" in block ? block.text : block.type)).join("");

/** Sends a prompt and waits for the end of its turn; gives what the agent said last. */
export async function turn(viewer: TestViewer, message: string, more: object = {}): Promise<string> {
  const turns = () => viewer.transcript.marks.filter((mark) => mark.kind === "turn").length;
  const before = turns();
  const response: Response = await viewer.ask({ type: "prompt", message, ...more });
  if (!response.success) throw new Error(response.error);
  await viewer.until(() => turns() > before && viewer.session?.state === "idle");
  return said(viewer.transcript.messages.at(-1));
}
