// What a peer of the conformance suite is asked to act out. The steps are in the prompt itself, so that programs with a
// script of their own and a model behind a real agent can both read them, and nothing has to be set up beforehand.
import { readFileSync } from "node:fs";

const word = "play ";

export const promptFor = (steps) => word + JSON.stringify(steps);

/** What the words ask for; anything else is answered with itself. Some agents send prompts without an answer as one: the last counts. */
export function sceneIn(message) {
  const at = message.lastIndexOf(`${word}[`);
  return at === -1
    ? [{ say: [`You said: ${message}`] }]
    : JSON.parse(message.slice(at + word.length, message.lastIndexOf("]") + 1));
}

/** The deltas of a step that says something. Long texts are in a file: the prompt would double them. */
export function piecesOf({ say, read, piece }) {
  if (read === undefined) return say;
  const text = readFileSync(read, "utf8");
  return Array.from({ length: Math.ceil(text.length / piece) }, (_, index) =>
    text.slice(index * piece, (index + 1) * piece),
  );
}

/** What a command would print; undefined: it does not end by itself. */
export const outputOf = (command) =>
  command.startsWith("echo ") ? `${command.slice("echo ".length)}\n` : undefined;
