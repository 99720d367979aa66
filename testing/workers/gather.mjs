// Says a whole turn in one write, when it is next asked how it is (`get_state`): one read of the server then holds
// everything. A prompt is the JSON of the turn's frames; one that is none is never taken.
import { onLines } from "./lines.mjs";

let gathered = "";
const say = (...frames) => {
  for (const frame of frames) gathered += `${JSON.stringify(frame)}\n`;
};
const tell = () => {
  process.stdout.write(gathered);
  gathered = "";
};
const respond = ({ type, id }, data) => say({ type: "response", command: type, id, success: true, data });

const commands = {
  hello(command) {
    respond(command, { protocol_version: 1, version: "fixture", provider: "fixture", model: "none" });
    tell();
  },
  abort(command) {
    respond(command);
    tell();
  },
  get_state(command) {
    respond(command, {});
    tell();
  },
  prompt(command) {
    if (!command.message.startsWith("[")) return;
    respond(command, { started: true });
    const time = new Date().toISOString();
    say(
      { type: "user_message", content: [{ type: "text", text: command.message }], time },
      { type: "turn_start", step: 1 },
      ...JSON.parse(command.message),
      { type: "turn_end", stop: "end" },
      { type: "done" },
    );
  },
};

onLines(process.stdin, (line) => {
  const command = JSON.parse(line);
  commands[command.type]?.(command);
});
