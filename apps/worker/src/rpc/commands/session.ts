// Commands that set the worker's directory and restore or clear its conversation.
import { statSync } from "node:fs";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import { TranscriptRestorer } from "../../agent/conversation/transcript-restorer.ts";
import type { Lifecycle } from "../../agent/lifecycle.ts";
import type { PersonBash } from "../../agent/person-bash.ts";
import type { TurnQueue } from "../../agent/prompts/turn-queue.ts";
import type { WorkerConfig } from "../../config/worker-config.ts";
import type { SettingsRegistry } from "../../output/settings-registry.ts";
import type { Handlers } from "../exchange.ts";
import { notAtRest } from "./branches.ts";
import { changeModel } from "./models.ts";

interface SessionParts {
  readonly conversation: Conversation;
  readonly turns: TurnQueue;
  readonly bash: PersonBash;
  readonly settings: SettingsRegistry;
  readonly lifecycle: Lifecycle;
  readonly access: WorkerConfig["access"];
}

export function sessionHandlers({
  conversation,
  turns,
  bash,
  settings,
  lifecycle,
  access,
}: SessionParts): Handlers<"begin" | "restore" | "restore_settings" | "clear"> {
  const restorer = new TranscriptRestorer();
  return {
    begin({ cwd, model }, { succeed, fail }) {
      if (turns.busy || conversation.messages.length > 0) return fail("it has already begun");
      if (!isDirectory(cwd)) return fail(`${cwd} is not a directory`);
      const problem = model === undefined ? null : changeModel(conversation, access, model);
      if (problem !== null) return fail(problem);
      conversation.cwd = cwd;
      void lifecycle.open();
      succeed({ provider: conversation.model.provider, model: conversation.model.id });
    },
    restore(command, { succeed, fail }) {
      const problem = notAtRest({ turns, bash });
      if (problem !== null) return fail(problem);
      const restored = restorer.take(command);
      if (restored !== null) {
        conversation.restore(restored.transcript, restored.messages);
        conversation.name = restored.name ?? conversation.name;
      }
      succeed({ message_count: conversation.messages.length });
    },
    restore_settings(command, { succeed }) {
      settings.restore(command.settings);
      settings.changed(); // every viewer gets the restored values
      succeed();
    },
    clear(_command, { succeed, fail }) {
      const problem = notAtRest({ turns, bash });
      if (problem !== null) return fail(problem);
      conversation.clear();
      succeed();
    },
  };
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
