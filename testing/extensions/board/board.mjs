#!/usr/bin/env node
// A small extension for the stories: a panel with keys, a question with a status, and a text for the composer.

const emit = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const items = ["write the test", "mend the relay", "tell the others"];
const done = new Set([0]);
let at = 0;

const panel = () => ({
  title: "Board",
  lines: items.map((item, index) => {
    const line = `${index === at ? ">" : " "} [${done.has(index) ? "x" : " "}] ${item}`;
    return index === at ? `\u001b[1m${line}\u001b[0m` : line;
  }),
  footer: "↑↓ move · space toggles · Esc closes",
});

const commands = {
  board: ({ id }) =>
    emit({ type: "command_response", id, action: "open_panel", open_panel: { id: "board", ...panel() } }),
  deploy: ({ id, args }) => {
    emit({
      type: "ui_request",
      id: "where",
      method: "select",
      title: `Deploy ${args || "everything"} where?`,
      options: ["staging", "production"],
    });
    emit({ type: "command_response", id, action: "noop" });
  },
  path: ({ id }) => emit({ type: "command_response", id, action: "insert", insert: "src/relay.ts" }),
};

const host = {
  command_invoked: (frame) => commands[frame.name]?.(frame),
  panel_key({ panel_id, key, text }) {
    if (key === "down") at = Math.min(items.length - 1, at + 1);
    if (key === "up") at = Math.max(0, at - 1);
    if (key === "rune" && text === " " && !done.delete(at)) done.add(at);
    emit({ type: "panel_render", panel_id, ...panel() });
  },
  ui_response: ({ value }) =>
    emit({
      type: "ui_request",
      id: "s",
      method: "setStatus",
      statusKey: "deploy",
      statusText: `deployed to ${value}`,
    }),
  shutdown: () => process.exit(0),
};

emit({ type: "hello", name: "board", version: "1.0.0", capabilities: ["commands"] });
emit({ type: "register_command", name: "board", description: "What is left to do" });
emit({
  type: "register_command",
  name: "deploy",
  description: "Deploy a part, or everything",
  hint: "[part]",
});
emit({ type: "register_command", name: "path", description: "The file in question, into the composer" });
emit({ type: "ready" });
let unfinished = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  // Split on LF only: readline also splits on U+2028, which is legal inside a JSON string.
  const lines = (unfinished + chunk).split("\n");
  unfinished = lines.pop() ?? "";
  for (const line of lines) {
    const frame = JSON.parse(line);
    host[frame.type]?.(frame);
  }
});
