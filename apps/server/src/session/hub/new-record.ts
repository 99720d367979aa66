// The record of a new session, before its worker has reported anything.
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { CreateSession } from "@patchbay/protocol";
import type { WorkerKind } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";

export function newRecord(
  kind: WorkerKind,
  cwd: string,
  { name, model }: Pick<CreateSession, "name" | "model">,
  id: string = randomBytes(8).toString("hex"),
): SessionRecord {
  const time = new Date().toISOString();
  return {
    id,
    name: name?.trim() || basename(cwd) || cwd,
    worker: kind.name,
    dialect: kind.dialect,
    cwd,
    ...splitModel(model),
    created_at: time,
    updated_at: time,
    seq: 0,
    message_count: 0,
    process: null,
    pinned: false,
    archived: false,
    deletes_at: null,
  };
}

/** `provider/model`; only the first slash separates, because model ids may contain more. */
function splitModel(model: string | undefined): { provider: string; model: string } {
  const requested = model?.trim() ?? "";
  const slash = requested.indexOf("/");
  return slash === -1
    ? { provider: "", model: requested }
    : { provider: requested.slice(0, slash), model: requested.slice(slash + 1) };
}
