// A server whose workers play recorded conversations with pi and omp, and a session on one of them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fixtureWorker, type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { openSession } from "../../support/actor.ts";

const folder = join(repository, "testing/transcripts");

/** The recorded programs, and the dialect of each. */
export const programs = ["pi-0.74.2", "pi-1.5.0", "omp-18.3.4"] as const;
export type Recorded = (typeof programs)[number];
const dialectOf = (program: Recorded): string => program.slice(0, program.indexOf("-"));

/** Every recording is a worker named `<program>/<recording>`; further prompts are answered with a text. */
export function recordedWorkers(): object {
  const recordings = programs.flatMap((program) =>
    readdirSync(join(folder, program)).map((file) => {
      const name = `${program}/${file.replace(".jsonl", "")}`;
      const command = fixtureWorker(
        "replay",
        ...[file, "prompt_text.jsonl"].map((each) => join(folder, program, each)),
      );
      return [name, { dialect: dialectOf(program), command }] as const;
    }),
  );
  return Object.fromEntries(recordings);
}

export const startRecorded = (workers: object = {}): Promise<RunningServer> =>
  startServer({
    config: { workers: { ...recordedWorkers(), ...workers }, limits: { worker_pool: 0 } },
  });

export const play = (server: RunningServer, program: Recorded, recording: string): Promise<TestViewer> =>
  openSession(server, { worker: `${program}/${recording}` });

/** Otherwise their workers would accumulate. */
export async function endSessions(server: RunningServer): Promise<void> {
  const { body } = await server.call("GET", "/api/sessions");
  const { sessions } = body as { sessions: { id: string }[] };
  await Promise.all(sessions.map(({ id }) => server.call("DELETE", `/api/sessions/${id}`)));
}

/** Sends a prompt and waits until its turn is over. */
export async function turn(viewer: TestViewer, message: string): Promise<void> {
  const before = turns(viewer).length;
  const response = await viewer.ask({ type: "prompt", message });
  if (!response.success) throw new Error(String(response.error));
  await viewer.until(() => turns(viewer).length > before);
}

export const turns = (viewer: TestViewer) =>
  viewer.transcript.marks.flatMap((mark) => (mark.kind === "turn" ? [mark] : []));

/** The types of the frames since the worker was ready, deltas of one kind in a row counted once. */
export function grammar(viewer: TestViewer): string[] {
  const types = viewer.frames.map((frame) => (JSON.parse(frame) as { type: string }).type);
  return types.filter((type, index) => type !== types[index - 1] && !surroundings.has(type));
}

const surroundings: ReadonlySet<string> = new Set([
  "worker",
  "settings",
  "extension_ui_request",
  "advisor_cost_changed",
  "commands_changed",
  "session_info_changed",
]);
