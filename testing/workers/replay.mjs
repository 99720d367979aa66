// Plays a recorded conversation with pi or omp: what the program wrote after each line it was given is written again
// when a line of the same type comes. Questions that change nothing are not kept apart, because a bridge asks them when
// it likes: they are answered from the recording whenever they come.
// node replay.mjs <transcript.jsonl> [<what is played after it, its start left out>]
import { readFileSync } from "node:fs";
import { onLines } from "./lines.mjs";

const idle = new Set(["get_state", "get_messages", "get_session_stats", "get_last_assistant_text"]);

const read = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};
const recordingOf = (path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((entry) => {
      const { dir, line } = JSON.parse(entry);
      return { dir, line, value: read(line) };
    });
const [path = "", after = "-"] = process.argv.slice(2);
const later = after.startsWith("-") ? [] : recordingOf(after); // what the dialect adds are options
const recorded = [
  ...recordingOf(path),
  ...later.slice(later.findIndex(({ dir, value }) => dir === "in" && !idle.has(value?.type))),
];

const responses = new Map();
/** What the program was given, and what it wrote until it was given something else. */
const passages = [{ given: null, lines: [] }];
for (const { dir, line, value } of recorded) {
  const isAnswer = dir === "out" && value?.type === "response";
  if (isAnswer) responses.set(value.command, value);
  if (dir === "in" && !idle.has(value?.type)) passages.push({ given: value, lines: [] });
  else if (dir === "out" && !(isAnswer && idle.has(value.command))) passages.at(-1).lines.push(line);
}

const write = (line) => process.stdout.write(`${line}\n`);
/** From ids of the recording to those of whoever asks now. */
const ids = new Map();
const early = new Set();
let next = 1;

function play(given) {
  const passage = passages[next++];
  if (given.id !== undefined) ids.set(passage.given.id, given.id);
  for (const line of passage.lines) {
    const id = ids.get(read(line)?.id);
    write(id === undefined ? line : JSON.stringify({ ...read(line), id }));
  }
  // An answer to a question may come before the place where it was recorded.
  const waiting = passages[next]?.given;
  if (waiting?.type === "extension_ui_response" && early.delete(waiting.id)) play(waiting);
}

function answer({ type, id }) {
  const known = responses.get(type);
  const unknown = { type: "response", command: type, success: false, error: `Unknown command: ${type}` };
  write(JSON.stringify({ ...(known ?? unknown), id }));
}

for (const line of passages[0].lines) write(line);
onLines(process.stdin, (line) => {
  const given = JSON.parse(line);
  const isReply = given.type === "extension_ui_response";
  const at = passages.findIndex(
    (passage, index) =>
      index >= next && passage.given?.type === given.type && (!isReply || passage.given.id === given.id),
  );
  if (idle.has(given.type) || (at === -1 && !isReply)) return answer(given);
  if (isReply && at !== next) return early.add(given.id);
  next = at; // what was asked before it in the recording is not asked now
  play(given);
});
