// What a tool would do if it is allowed to: the change, the command, or its arguments.
import type { Question } from "@patchbay/protocol";
import { Code } from "../code/code-block.tsx";
import { diffEdits } from "../code/diff/diff-edits.ts";
import { type DiffLine, parseDiff } from "../code/diff/diff-lines.ts";
import { DiffView } from "../code/diff/diff-view.tsx";
import { readCall } from "../transcript/tools/tool-args.ts";
import { textField } from "./question-options.ts";

export default function LoadedApprovalPreview({ question }: { question: Question }) {
  const args = question["args"];
  const call = readCall(textField(question, "tool"), args);
  const diff = parseDiff(textField(question, "diff")) ?? wouldChange(call);
  return (
    <div className="mt-2 overflow-hidden rounded-md border border-line bg-sunken">
      {diff !== null ? (
        <>
          {"path" in call && (
            <p className="border-b border-line px-3 py-1 font-mono text-xs text-muted">{call.path}</p>
          )}
          <DiffView lines={diff} />
        </>
      ) : call.tool === "bash" ? (
        <Code code={call.command} language="bash" settled className="max-h-60 overflow-y-auto px-3 py-2" />
      ) : args === undefined || args === null ? null : (
        <Code
          code={JSON.stringify(args, null, 2)}
          language="json"
          settled
          className="max-h-60 overflow-y-auto px-3 py-2"
        />
      )}
    </div>
  );
}

function wouldChange(call: ReturnType<typeof readCall>): DiffLine[] | null {
  if (call.tool === "edit") return diffEdits(call.edits);
  if (call.tool !== "write") return null;
  const lines = call.content.replace(/\n$/, "").split("\n");
  return lines.map((text) => ({ kind: "added", text }));
}
