// A small zot rpc worker for tests: says hello, answers the simple commands, and acts out what a
// fixture gives it for each prompt. Not a model of good behaviour; that is the point of its users.
import { onLines } from "./lines.mjs";

export const write = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const writeRaw = (text) => process.stdout.write(text);

/** `actions[word](rest, { write, writeRaw, answers })` for a prompt that begins with the word;
 * `actions.before[type]()` is awaited before a command of that type is taken; `actions.started(command)` is called when a
 * prompt was answered and not shown yet; `actions.hello` is said of itself besides. */
export function serve(actions) {
  const answers = new Map();
  let aborted = () => {};
  const respond = (command, data) =>
    write({
      type: "response",
      command: command.type,
      id: command.id,
      success: true,
      ...(data ? { data } : {}),
    });

  async function prompt(command) {
    const [word, ...rest] = command.message.split(" ");
    respond(command, { started: true });
    actions.started?.(command);
    write({
      type: "user_message",
      content: [{ type: "text", text: command.message }],
      time: new Date().toISOString(),
    });
    write({ type: "turn_start", step: 1 });
    write({ type: "assistant_start" });
    const untilAborted = new Promise((resolve) => {
      aborted = () => resolve("aborted");
    });
    const stop = (await actions[word]?.(rest.join(" "), { write, writeRaw, answers, untilAborted })) ?? "end";
    write({ type: "turn_end", stop });
    write({ type: "done" });
  }

  const commands = {
    hello(command) {
      if (process.env.ZOTCORE_RPC_TOKEN && command.token !== process.env.ZOTCORE_RPC_TOKEN) process.exit(1);
      respond(command, {
        ...{ protocol_version: 1, version: "fixture", provider: "fixture", model: "none" },
        ...actions.hello,
      });
    },
    ping: (command) => respond(command, { pong: true }),
    abort(command) {
      respond(command);
      aborted();
    },
    get_state: (command) =>
      respond(command, {
        provider: "fixture",
        model: "none",
        cwd: process.cwd(),
        message_count: 0,
        busy: false,
        usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
      }),
    compact(command) {
      respond(command, { started: true });
      write({ type: "compact_done", summary: "a summary" }); // like zot: no `done`
    },
    prompt,
    extension_ui_response: (command) => answers.get(command.id)?.(command),
  };

  async function obey(line) {
    const command = JSON.parse(line);
    await actions.before?.[command.type]?.();
    await commands[command.type]?.(command);
  }

  onLines(process.stdin, (line) => {
    void obey(line);
  });
}
