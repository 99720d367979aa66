// zot rpc, spoken by zot and by the built-in worker: passed through byte for byte.
import type { Dialect } from "./dialect.ts";

export const zotDialect: Dialect = {
  name: "zot",
  startArguments({ cwd, model }) {
    return ["--cwd", cwd, ...modelArguments(model)];
  },
  open: ({ send, emit }) => ({
    fromWorker: emit,
    toWorker: (command) => send(JSON.stringify(command)),
    close: () => {},
  }),
};

/** Only the first slash separates: model ids of gateways contain slashes themselves. */
function modelArguments(model: string | undefined): string[] {
  if (model === undefined) return [];
  const slash = model.indexOf("/");
  if (slash === -1) return ["--model", model];
  return ["--provider", model.slice(0, slash), "--model", model.slice(slash + 1)];
}
