// What the fake model says when nothing is scripted: it repeats what it was told, so that trials by
// hand and browser tests can see that their words arrived.
import type { ModelCall } from "./call.ts";
import type { Reply } from "./reply.ts";

export function echoReply(call: ModelCall): Reply {
  if (call.toolResults.length === 0) return { text: `You said: ${call.userText}` };
  return { text: `The tool answered: ${call.toolResults.join("\n").slice(0, 2000)}` };
}
