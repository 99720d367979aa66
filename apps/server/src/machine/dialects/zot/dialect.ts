// zot rpc, spoken by zot and by the built-in worker: every line passes through byte for byte. The one line that is
// added is what nobody else says: that a compaction cost something.
import type { Dialect } from "../dialect.ts";
import { ZotCompactions } from "./compaction-usage.ts";

export const zotDialect: Dialect = {
  name: "zot",
  startArguments({ cwd, model }) {
    return ["--cwd", cwd, ...modelArguments(model)];
  },
  open({ send, emit }) {
    const compactions = new ZotCompactions();
    return {
      fromWorker: (run) => emit(compactions.read(run)),
      toWorker(command) {
        compactions.sent(command);
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
