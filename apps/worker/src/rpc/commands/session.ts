// Commands that give the worker its place and its memory, or take the memory away.
import { statSync } from "node:fs";
import type { Agent } from "../../agent/agent.ts";
import { busyError, type Handlers } from "../exchange.ts";
import { chooseModel } from "./models.ts";

export function sessionCommands(agent: Agent): Handlers<"begin" | "restore" | "restore_settings" | "clear"> {
  const { conversation, turns } = agent;
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
    restore({ messages }, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      conversation.messages = messages;
      succeed({ message_count: messages.length });
    },
    restore_settings({ settings }, { succeed }) {
      agent.settings.restore(settings);
      agent.settings.changed(); // how they stand now, for whoever looks at the session
      succeed();
    },
    clear(_command, { succeed, fail }) {
      if (turns.busy) return fail(busyError);
      conversation.messages = [];
      succeed();
    },
  };
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
