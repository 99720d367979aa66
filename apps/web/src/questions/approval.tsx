// An approval: which tool wants to do what, shown as it would happen, and the answers. A denial may say why,
// which the agent then reads.
import type { Question } from "@patchbay/protocol";
import { useState } from "react";
import { Code } from "../transcript/code-block.tsx";
import { type DiffLine, diffEdits, parseDiff } from "../transcript/tools/diff-lines.ts";
import { DiffView } from "../transcript/tools/diff-view.tsx";
import { readCall } from "../transcript/tools/tool-args.ts";
import { Button } from "../ui/button.tsx";
import { Row } from "./choices.tsx";
import { type Option, textField } from "./question-options.ts";

export function ApprovalPreview({ question }: { question: Question }) {
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

const isDenial = ({ label, value }: Option): boolean =>
  /^(deny|reject)/i.test(value) || /^(deny|reject)/i.test(label);

interface Props {
  options: readonly Option[];
  onAnswer(answer: { value: string; reason?: string }): void;
}

export function ApprovalAnswers({ options, onAnswer }: Props) {
  const [denial, setDenial] = useState<Option | null>(null);
  if (denial !== null) return <Denial denial={denial} onAnswer={onAnswer} onBack={() => setDenial(null)} />;
  return (
    <Row>
      {options.map((option, index) => (
        <Button
          key={option.value}
          look={isDenial(option) ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => (isDenial(option) ? setDenial(option) : onAnswer({ value: option.value }))}
        >
          {option.label}
        </Button>
      ))}
    </Row>
  );
}

interface DenialProps {
  denial: Option;
  onAnswer: Props["onAnswer"];
  onBack(): void;
}

function Denial({ denial, onAnswer, onBack }: DenialProps) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const why = reason.trim();
        onAnswer(why === "" ? { value: denial.value } : { value: denial.value, reason: why });
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
        autoFocus
        aria-label="Why not? The agent reads this"
        placeholder="Why not, and what instead? The agent reads this. May stay empty."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onBack();
        }}
        className="h-9 w-full rounded-md border border-edge bg-canvas px-3 outline-offset-0 phone:h-11 phone:text-[1rem]"
      />
      <Row>
        <Button look="danger" type="submit">
          {denial.label}
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </Row>
    </form>
  );
}
