// A server with a scripted zeroclaw daemon, and turns on it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";

export interface Claw extends AsyncDisposable {
  daemon: ZeroclawDaemon;
  server: RunningServer;
}

/** The worker `claw` is its agent `coder`, `unnamed` its daemon without a named agent, `absent` one that is not there. */
export async function startClaw(): Promise<Claw> {
  const path = join(mkdtempSync(join(tmpdir(), "patchbay-zeroclaw-")), "daemon.sock");
  const daemon = await ZeroclawDaemon.at(path);
  const workers = {
    claw: { dialect: "zeroclaw", socket: path, model: "coder" },
    unnamed: { dialect: "zeroclaw", socket: path },
    absent: { dialect: "zeroclaw", socket: `${path}.absent` },
  };
  const server = await startServer({ config: { default_worker: "claw", workers } });
  return {
    daemon,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
      rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}

export const turns = ({ transcript }: TestViewer) =>
  transcript.marks.flatMap((mark) => (mark.kind === "turn" ? [mark] : []));

/** Sends a prompt, waits until its turn is over, and returns the last message. */
export async function turn(viewer: TestViewer, message: string): Promise<string> {
  const before = turns(viewer).length;
  const response = await viewer.ask({ type: "prompt", message });
  if (!response.success) throw new Error(response.error);
  await viewer.until(() => turns(viewer).length > before && viewer.session?.state === "idle");
  return JSON.stringify(viewer.transcript.messages.at(-1)?.content);
}

/** Starts a turn that streams a text and does not end by itself. */
export async function turnThatWaits(viewer: TestViewer, message: string, says = "waiting"): Promise<void> {
  const before = viewer.frames.length;
  const response = await viewer.ask({ type: "prompt", message });
  if (!response.success) throw new Error(response.error);
  await viewer.until(() =>
    viewer.frames.slice(before).some((frame) => frame.includes(`"text_delta","delta":"${says}"`)),
  );
}

export async function stop(server: RunningServer, viewer: TestViewer): Promise<void> {
  await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
  await viewer.state("stopped");
}
