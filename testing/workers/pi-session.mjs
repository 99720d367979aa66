// A conversation of pi-player.mjs in a file, one entry per line, forked and opened as pi's are.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const message = (role, content) => ({ role, content, timestamp: Date.now() });

const textOf = ({ content }) => content.map(({ text = "" }) => text).join("");

export function sessionFile(folder) {
  const directory = join(process.env.HOME ?? "/tmp", folder, "agent/sessions");
  mkdirSync(directory, { recursive: true });
  let path;
  let entries = [];
  const begin = (kept = []) => {
    path = join(directory, `${randomUUID()}.jsonl`);
    entries = kept;
    writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  };
  begin();
  return {
    get path() {
      return path;
    },
    get messages() {
      return entries.map((entry) => entry.message);
    },
    begin,
    add(spoken) {
      const entry = { type: "message", id: randomUUID().slice(0, 8), message: spoken };
      entries.push(entry);
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
    },
    /** A path that leads nowhere is a session that has not begun, as it is for both programs. */
    open(other) {
      path = other;
      const text = existsSync(other) ? readFileSync(other, "utf8") : "";
      entries = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
    prompts: () =>
      entries
        .filter((entry) => entry.message.role === "user")
        .map((entry) => ({ entryId: entry.id, text: textOf(entry.message) })),
    fork(entryId) {
      const at = entries.findIndex(({ id }) => id === entryId);
      const text = textOf(entries[at].message);
      begin(entries.slice(0, at));
      return text;
    },
  };
}
