// zot rpc, the protocol of zot and of the built-in worker: every line passes through byte for byte. Only a usage frame
// is added for a compaction whose costs the worker does not report.
import type { Dialect } from "../dialect.ts";
import { CompactionUsage } from "./compaction-usage.ts";

export const zotDialect: Dialect = {
  name: "zot",
  startArguments({ cwd, model }) {
    return ["--cwd", cwd, ...modelArguments(model)];
  },
  open({ send, emit }) {
    const usage = new CompactionUsage();
    return {
      fromWorker: (run) => emit(usage.complete(run)),
      toWorker(command) {
        usage.commandSent(command);
        send(JSON.stringify(command));
      },
      close: () => {},
    };
  },
};

/** Only the first slash separates: model ids of gateways contain slashes themselves. */
function modelArguments(model: string | undefined): string[] {
  if (model === undefined) return [];
  const slash = model.indexOf("/");
  if (slash === -1) return ["--model", model];
  return ["--provider", model.slice(0, slash), "--model", model.slice(slash + 1)];
}
