// Runs the fake model server for manual trials: npx tsx testing/src/fake-model/main.ts --port 8099
// Its replies follow the prompt (see by-prompt.ts); Ctrl-C ends it.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { replyByPrompt } from "./by-prompt.ts";
import { startFakeModel } from "./server.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "8099" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`--port must be a number from 0 to 65535, not ${values.port}`);
  process.exit(1);
}

const model = await startFakeModel({ port });
model.defaultReply = replyByPrompt;
console.log(`${model.baseUrl}/{anthropic,openai/v1,deepseek,google/v1beta,compatible/v1,ollama/v1}`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
await model[Symbol.asyncDispose]();
