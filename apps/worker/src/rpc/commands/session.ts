// Commands that give the worker its place and its memory, or take the memory away.
import { statSync } from "node:fs";
import type { Agent } from "../../agent/agent.ts";
import { Restoring } from "../../agent/conversation/restoring.ts";
import type { Handlers } from "../exchange.ts";
import { notAtRest } from "./branches.ts";
import { chooseModel } from "./models.ts";

export function sessionCommands(agent: Agent): Handlers<"begin" | "restore" | "restore_settings" | "clear"> {
  const { conversation, turns } = agent;
  const restoring = new Restoring();
  return {
    begin({ cwd, model }, { succeed, fail }) {
      if (turns.busy || conversation.messages.length > 0) return fail("it has begun already");
      if (!isDirectory(cwd)) return fail(`${cwd} is not a directory`);
      const problem = model === undefined ? null : chooseModel(conversation, model);
      if (problem !== null) return fail(problem);
      conversation.cwd = cwd;
      void agent.open();
      succeed({ provider: conversation.model.provider, model: conversation.model.id });
    },
    restore(command, { succeed, fail }) {
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      const restored = restoring.take(command);
      if (restored !== null) {
        conversation.restore(restored.transcript, restored.messages);
        conversation.name = restored.name ?? conversation.name;
      }
      succeed({ message_count: conversation.messages.length });
    },
    restore_settings({ settings }, { succeed }) {
      agent.settings.restore(settings);
      agent.settings.changed(); // how they stand now, for whoever looks at the session
      succeed();
    },
    clear(_command, { succeed, fail }) {
      const problem = notAtRest(agent);
      if (problem !== null) return fail(problem);
      conversation.clear();
      succeed();
    },
  };
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
