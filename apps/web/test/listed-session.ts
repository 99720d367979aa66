// A session as the list has it, for tests.
import type { SessionInfo } from "@patchbay/protocol";

export const listedSession = (id: string, change: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  name: id,
  worker: "builtin",
  dialect: "zot",
  cwd: "/code/api",
  provider: "p",
  model: "m",
  state: "idle",
  job: null,
  message_count: 2,
  seq: 10,
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
  pending: [],
  viewers: 0,
  created_at: `2026-01-01T00:00:0${id.length}Z`,
  updated_at: "2026-01-01T00:00:00Z",
  capabilities: [],
  ...change,
});

export const openQuestion = {
  type: "extension_ui_request" as const,
  id: "q1",
  method: "confirm",
  title: "Push it?",
  asked_at: "2026-01-01T00:00:00Z",
};
