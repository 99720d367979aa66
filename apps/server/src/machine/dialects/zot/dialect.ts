// zot rpc, the protocol of zot and of the built-in worker: every line passes through byte for byte. Only a usage frame
// is added for a compaction whose costs the worker does not report, and a hello with another model than the chosen one is refused.
import type { Dialect } from "../dialect.ts";
import { FrameWriter } from "../frame-writer.ts";
import { CompactionUsage } from "./compaction-usage.ts";
import { readModelChoice, ZotModels } from "./own-models.ts";

export const zotDialect: Dialect = {
  name: "zot",
  capabilities: ["compact", "set_model", "images"], // zot's own hello names none
  startArguments({ cwd, model }) {
    return ["--cwd", cwd, ...modelArguments(model)];
  },
  open({ model, send, emit }) {
    const models = new ZotModels(model);
    const usage = new CompactionUsage((data) => models.greeted(data));
    const out = new FrameWriter(emit);
    let hello: unknown;
    return {
      fromWorker(run) {
        const completed = usage.complete(run);
        if (models.problem === undefined) emit(completed);
        else out.respond({ type: "hello", id: hello }, { error: models.problem });
      },
      toWorker(command) {
        usage.commandSent(command);
        if (command.type === "hello") hello = command["id"];
        const own = models.translate(command);
        if ("error" in own) out.respond(command, own);
        else send(JSON.stringify(own.command));
      },
      close: () => {},
    };
  },
};

function modelArguments(chosen: string | undefined): string[] {
  if (chosen === undefined) return [];
  const { provider, model } = readModelChoice(chosen);
  return [...(provider === undefined ? [] : ["--provider", provider]), "--model", model];
}
