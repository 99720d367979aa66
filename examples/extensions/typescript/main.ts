// A list of tasks: the agent keeps it with two tools, you see it beside the composer and in a panel (/todo).
// The list belongs to the directory of the session and is kept in the extension's own.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExtension, display, openPanel } from "@patchbay/extension";

interface Task {
  text: string;
  done: boolean;
}

const extension = createExtension({ name: "todo", version: "1.0.0" });
let tasks: Task[] = [];
let cursor = 0;

const lines = (): string[] =>
  tasks.map(({ text, done }, at) => `${at + 1}. ${done ? "\u001b[32m✔\u001b[0m" : "·"} ${text}`);

function file(): string {
  const { cwd = "", data_dir = "." } = extension.host ?? {};
  return join(data_dir, "lists", `${createHash("sha256").update(cwd).digest("hex").slice(0, 16)}.json`);
}

/** One after the other: of two writes at the same time, the older might be the last. */
let changes: Promise<void> = Promise.resolve();

function changed(): Promise<void> {
  changes = changes.then(keepAndShow, keepAndShow);
  return changes;
}

async function keepAndShow(): Promise<void> {
  await mkdir(join(file(), ".."), { recursive: true });
  await writeFile(file(), JSON.stringify(tasks));
  const open = tasks.filter(({ done }) => !done);
  extension.ui.status(
    "todo",
    tasks.length === 0 ? undefined : `${open.length} of ${tasks.length} tasks open`,
  );
  panel.render({ lines: panelLines(), footer });
}

// --- for the model -----------------------------------------------------------------------------------

extension.tool(
  "todo_add",
  {
    description: "Add tasks to the list that the person sees. Use it when work has several steps.",
    schema: {
      type: "object",
      properties: { tasks: { type: "array", items: { type: "string" }, description: "One line each" } },
      required: ["tasks"],
    },
  },
  async (args) => {
    tasks.push(...args.tasks.map((text) => ({ text: text.replaceAll("\n", " "), done: false })));
    await changed();
    return lines().join("\n");
  },
);

extension.tool(
  "todo_done",
  {
    description: "Tick off a task of the list by its number.",
    schema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
  },
  async ({ number }) => {
    const task = tasks[number - 1];
    if (task === undefined) throw new Error(`there is no task ${number}; there are ${tasks.length}`);
    task.done = true;
    await changed();
    return lines().join("\n");
  },
);

// --- for the person ----------------------------------------------------------------------------------

const footer = "↑ ↓ choose · enter ticks off · d deletes · esc closes";
const panelLines = (): string[] =>
  tasks.length === 0 ? ["Nothing to do."] : lines().map((line, at) => `${at === cursor ? "›" : " "} ${line}`);

const panel = extension.watchPanel("todo", {
  onKey(key, text) {
    if (key === "up") cursor = Math.max(0, cursor - 1);
    if (key === "down") cursor = Math.min(tasks.length - 1, cursor + 1);
    const task = tasks[cursor];
    if (key === "enter" && task !== undefined) task.done = !task.done;
    if (text === "d") tasks.splice(cursor, 1);
    void changed();
  },
});

extension.command("todo", { description: "show the tasks, or add one", hint: "[new task]" }, async (args) => {
  if (args === "") return openPanel({ id: "todo", title: "Tasks", lines: panelLines(), footer });
  tasks.push({ text: args, done: false });
  await changed();
  return display(lines().join("\n"));
});

extension.command("todo-clear", { description: "delete all tasks" }, async () => {
  const sure = await extension.ui.confirm(`Delete ${tasks.length} tasks?`, {
    timeout: 25_000,
    default: false,
  });
  if (sure !== true) return display("The list stays.");
  tasks = [];
  await changed();
  return display("The list is empty.");
});

extension.on("session_start", async () => {
  try {
    tasks = JSON.parse(await readFile(file(), "utf8"));
    await changed();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) extension.log(error);
  }
});

await extension.run();
