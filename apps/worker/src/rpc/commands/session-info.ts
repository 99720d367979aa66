// Commands about the session as a whole: its statistics, its name, and an HTML page of it.
import { lastAssistantText, longestName, sessionStats } from "@patchbay/protocol";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Jail } from "../../jail/jail.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import type { Handlers } from "../exchange.ts";

interface SessionInfoParts {
  readonly conversation: Conversation;
  readonly output: WorkerOutput;
  readonly jail: Jail;
}

export function sessionInfoHandlers({
  conversation,
  output,
  jail,
}: SessionInfoParts): Handlers<
  "get_session_stats" | "get_last_assistant_text" | "set_session_name" | "export_html"
> {
  return {
    get_session_stats(_command, { succeed }) {
      const { contextWindow } = conversation.model;
      succeed(sessionStats(conversation.transcript, { sessionId: conversation.id, contextWindow }));
    },
    get_last_assistant_text: (_command, { succeed }) =>
      succeed({ text: lastAssistantText(conversation.transcript) }),
    set_session_name(command, { succeed, fail }) {
      const name = command.name.trim();
      if (name === "") return fail("Session name cannot be empty");
      if (name.length > longestName)
        return fail(`Session name cannot be longer than ${longestName} characters`);
      conversation.name = name;
      output.write({ type: "session_info_changed", name });
      succeed();
    },
    async export_html({ outputPath }, { succeed }) {
      const { exportHtml } = await import("../../agent/conversation/export-html.ts");
      succeed({ path: await exportHtml(conversation, jail, outputPath) });
    },
  };
}
