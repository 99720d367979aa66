// The reply of the fake model without a script: it repeats the prompt, so that manual trials and browser tests see that it arrived.
import type { ModelCall } from "./call.ts";
import type { Reply } from "./reply.ts";

export function echoReply(call: ModelCall): Reply {
  if (call.toolResults.length === 0) return { text: `You said: ${call.userText}` };
  return { text: `The tool answered: ${call.toolResults.join("\n").slice(0, 2000)}` };
}
