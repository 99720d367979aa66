// What a tool's line says: verb, object, a detail, and what its body will show. Pure, one place.

import { countChanges, countEdits, type DiffLine, parseDiff } from "../../code/diff/diff-lines.ts";
import { relativeTo } from "../../format/path.ts";
import { type BashOutput, readBashOutput } from "./bash-output.ts";
import { toolsTexts as texts } from "./texts.ts";
import { type KnownCall, peekArgs, readCall, summariseArgs } from "./tool-args.ts";
import { hasPicture, resultText, type ToolState } from "./tool-state.ts";

export interface ToolShape {
  call: KnownCall;
  verb: string;
  object: string;
  detail: string;
  change: { added: number; removed: number } | null;
  exit: number | null;
  bash: BashOutput | null;
  diff: readonly DiffLine[] | null;
  /** Whether there is something to watch while it runs. */
  watchable: boolean;
}

function detailedDiff(state: ToolState): DiffLine[] | null {
  const diff = state.state === "done" ? state.details["diff"] : undefined;
  return typeof diff === "string" ? parseDiff(diff) : null;
}

/** Lines in brackets are messages of the tool ("there are more"), and lines of context are no matches. */
function countFound(output: string, unit: "match" | "path" | "entry"): string {
  if (/^(no matches|nothing found|.* is empty)$/.test(output.trim())) return texts.nothingFound;
  const lines = output.trim().split("\n");
  const own = lines.filter((line) => !/^\[.*\]$/.test(line) && line !== "--");
  const found = unit === "match" ? own.filter((line) => /:\d+:/.test(line)) : own;
  const more = own.length < lines.length && lines.at(-1)?.startsWith("[") === true ? "+" : "";
  if (unit === "match") return texts.foundMatches(found.length, more);
  return unit === "path" ? texts.foundPaths(found.length, more) : texts.foundEntries(found.length, more);
}

const countLines = (text: string): number => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

export function describeTool(name: string, args: unknown, state: ToolState, cwd: string): ToolShape {
  const call = readCall(name, args);
  const plain: ToolShape = {
    call,
    verb: name,
    object: "",
    detail: "",
    change: null,
    exit: null,
    bash: null,
    diff: null,
    watchable: true,
  };
  if (state.state === "writing") return { ...plain, object: relativeTo(peekArgs(state.argsText), cwd) };
  const output =
    state.state === "done" ? resultText(state.content) : state.state === "running" ? state.output : "";
  const good = state.state === "done" && !state.failed;
  switch (call.tool) {
    case "bash": {
      const bash = readBashOutput(output, call.command);
      const [first, ...more] = call.command.split("\n");
      return {
        ...plain,
        object: first ?? "",
        detail: more.length > 0 ? texts.moreLines(more.length) : "",
        exit: bash.exit,
        bash,
      };
    }
    case "edit": {
      const diff = good ? (detailedDiff(state) ?? parseDiff(output)) : null;
      const change = diff === null ? countEdits(call.edits) : countChanges(diff);
      return { ...plain, object: relativeTo(call.path, cwd), change, diff };
    }
    case "write": {
      const diff = detailedDiff(state);
      const change = diff === null ? null : countChanges(diff);
      // A new file reads better as a file; one that was there before, as what changed in it.
      const changed = change !== null && change.removed > 0;
      return {
        ...plain,
        object: relativeTo(call.path, cwd),
        detail: changed ? "" : texts.lines(countLines(call.content)),
        ...(changed ? { change, diff } : {}),
      };
    }
    case "search": {
      const within = relativeTo(call.within, cwd);
      const object = within === "" || within === "." ? call.pattern : texts.searchIn(call.pattern, within);
      return { ...plain, object, detail: good ? countFound(output, call.unit) : "", watchable: false };
    }
    case "read": {
      const from = call.from ?? 1;
      const range = call.count === null ? texts.fromLine(from) : texts.lineRange(from, from + call.count - 1);
      const part = call.from === null && call.count === null ? "" : range;
      const content = hasPicture(state) ? texts.picture : texts.lines(countLines(output));
      const detail = part !== "" ? part : good ? content : "";
      return { ...plain, object: relativeTo(call.path, cwd), detail, watchable: false };
    }
    case "other":
      return { ...plain, object: summariseArgs(args).slice(0, 200) };
  }
}
