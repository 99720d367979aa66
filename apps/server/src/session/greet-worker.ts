// Makes a launched worker ready: hello, and its memory back if it can take it.
import { contextMessages, type HelloData } from "@patchbay/protocol";
import type { Snapshot } from "./live-transcript.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { WorkerLink } from "./worker-link.ts";

export async function greetWorker(
  link: WorkerLink,
  { limits, log }: Pick<SessionDependencies, "limits" | "log">,
  snapshot: () => Promise<Snapshot>,
): Promise<{ hello: HelloData; restored: boolean }> {
  const hello = await link.hello(limits.worker_start_ms);
  const messages = contextMessages((await snapshot()).transcript);
  if (messages.length === 0) return { hello, restored: true };
  if (!hello.capabilities?.includes("restore")) return { hello, restored: false };
  const response = await link.ask({ type: "restore", messages });
  if (!response.success) log.warn({ error: response.error }, "a worker refused to restore a transcript");
  return { hello, restored: response.success };
}
