// The ACP agent of testing/workers as a worker, and what its tests have in common.
import type { Message, Response } from "@patchbay/protocol";
import { fixtureWorker } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";

/** A profile. `kinds`: the behaviours of the agent, which the program lists. */
export const acpAgent = (...kinds: string[]) => ({
  dialect: "acp",
  command: fixtureWorker("acp-agent", ...kinds),
  env: ["SOME_API_KEY"],
});

export const frames = (viewer: TestViewer): Record<string, unknown>[] =>
  viewer.frames.map((text) => JSON.parse(text) as Record<string, unknown>);

export const textOf = (message: Message | undefined): string =>
  (message?.content ?? []).map((block) => ("text" in block ? block.text : block.type)).join("");

/** Sends a prompt and waits for the end of its turn; returns the agent's last message. */
export async function turn(viewer: TestViewer, message: string, more: object = {}): Promise<string> {
  const turns = () => viewer.transcript.marks.filter((mark) => mark.kind === "turn").length;
  const before = turns();
  const response: Response = await viewer.ask({ type: "prompt", message, ...more });
  if (!response.success) throw new Error(response.error);
  await viewer.until(() => turns() > before && viewer.session?.state === "idle");
  return textOf(viewer.transcript.messages.at(-1));
}
