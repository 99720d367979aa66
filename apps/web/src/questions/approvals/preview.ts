// What an approval is about, as it is shown: a command, a change, or arguments; and whether all of it is seen at once.
import type { Question } from "@patchbay/protocol";
import { diffEdits } from "../../code/diff/diff-edits.ts";
import { type DiffLine, parseDiff } from "../../code/diff/diff-lines.ts";
import { readCall } from "../../transcript/tools/tool-args.ts";
import { textField } from "../question-options.ts";

export type Preview =
  | { kind: "code"; language: "bash" | "json"; text: string }
  | { kind: "diff"; path: string; lines: readonly DiffLine[] }
  | { kind: "none" };

/** More is folded, and has to be opened before it can be allowed. */
export const foldedLines = 12;
export const foldedCharacters = 1_200;
export const foldedChanges = 40;

/** Characters that are not seen, or change the order of others, are written out: nobody should allow what they cannot see. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const written = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`;
const withoutHidden = (text: string): string =>
  text.replace(hidden, (character) =>
    character === "\n" || character === "\t" ? character : written(character),
  );

export function previewOf(question: Question): Preview {
  const args = question["args"];
  const call = readCall(textField(question, "tool"), args);
  const lines = parseDiff(textField(question, "diff")) ?? wouldChange(call);
  if (lines !== null)
    return {
      kind: "diff",
      path: withoutHidden("path" in call ? call.path : pathOf(args)),
      lines: lines.map((line) => ({ ...line, text: withoutHidden(line.text) })),
    };
  if (call.tool === "bash" && hasOnlyCommand(args))
    return { kind: "code", language: "bash", text: withoutHidden(call.command) };
  if (typeof args !== "object" || args === null || Object.keys(args).length === 0) return { kind: "none" };
  return { kind: "code", language: "json", text: withoutHidden(JSON.stringify(args, null, 2)) };
}

/** A directory to run it in, say, must be seen too. */
const hasOnlyCommand = (args: unknown): boolean =>
  Object.keys(Object(args)).every((name) => /^(command|timeout|description)$/.test(name));

function pathOf(args: unknown): string {
  const path: unknown = Object(args)["path"];
  return typeof path === "string" ? path : "";
}

export const countOf = (text: string): number => text.split("\n").length;

export function isCut(preview: Preview): boolean {
  if (preview.kind === "diff") return preview.lines.length > foldedChanges;
  if (preview.kind === "none") return false;
  return preview.text.length > foldedCharacters || countOf(preview.text) > foldedLines;
}

function wouldChange(call: ReturnType<typeof readCall>): DiffLine[] | null {
  if (call.tool === "edit") return diffEdits(call.edits);
  if (call.tool !== "write") return null;
  const lines = call.content.replace(/\n$/, "").split("\n");
  return lines.map((text) => ({ kind: "added", text }));
}
