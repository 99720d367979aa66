// What an opened tool card shows: a terminal, a diff, a file, or plainly what went in and came out.

import type { ResultContent } from "@patchbay/protocol";
import { Code } from "../../code/code-block.tsx";
import { diffEdits } from "../../code/diff/diff-edits.ts";
import { DiffView } from "../../code/diff/diff-view.tsx";
import { languageOf } from "../../code/language.ts";
import { grouped } from "../../format/number.ts";
import { Picture } from "../../ui/picture.tsx";
import { CardFrame, Note, Terminal, ToolFailure } from "./card-parts.tsx";
import type { ToolShape } from "./describe-tool.ts";
import { SearchResults } from "./search-results.tsx";
import { toolsTexts as texts } from "./texts.ts";
import { resultText, type ToolState } from "./tool-state.ts";

interface Props {
  name: string;
  shape: ToolShape;
  state: ToolState;
  args: unknown;
}

/** Files are shown up to here; the rest is one copy away. */
const shownCharacters = 60_000;

export default function ToolBody({ shape, state, args }: Props) {
  const output =
    state.state === "done" ? resultText(state.content) : state.state === "running" ? state.output : "";
  const failed = state.state === "done" && state.failed;
  switch (shape.call.tool) {
    case "bash":
      return (
        <CardFrame copy={shape.bash?.text ?? ""}>
          <Terminal
            command={shape.call.command}
            text={shape.bash?.text ?? ""}
            waiting={state.state === "running"}
          />
          {shape.bash !== null && shape.bash.note !== "" && <Note>{shape.bash.note}</Note>}
        </CardFrame>
      );
    case "edit":
      return (
        <CardFrame title={texts.changes} copy={shape.call.edits.map((edit) => edit.newText).join("\n")}>
          <DiffView
            lines={shape.diff ?? diffEdits(shape.call.edits)}
            language={languageOf(shape.call.path)}
          />
          {failed && <ToolFailure text={output} />}
        </CardFrame>
      );
    case "write":
      return (
        <CardFrame title={texts.file} copy={shape.call.content}>
          {shape.diff === null ? (
            <FileText path={shape.call.path} text={shape.call.content} />
          ) : (
            <DiffView lines={shape.diff} language={languageOf(shape.call.path)} />
          )}
          {failed && <ToolFailure text={output} />}
        </CardFrame>
      );
    case "read":
      return (
        <CardFrame copy={output}>
          {failed && <ToolFailure text={output} />}
          {!failed && output !== "" && <FileText path={shape.call.path} text={output} />}
          <Images content={state.state === "done" ? state.content : []} />
        </CardFrame>
      );
    case "search":
      return (
        <CardFrame copy={output}>
          {failed ? (
            <ToolFailure text={output} />
          ) : (
            <SearchResults output={output} running={state.state === "running"} />
          )}
        </CardFrame>
      );
    case "other":
      return (
        <CardFrame copy={output}>
          <Images content={state.state === "done" ? state.content : []} />
          <FileText path="arguments.json" text={state.state === "writing" ? state.argsText : pretty(args)} />
          {output !== "" && (
            <div className="border-t border-line">
              {failed ? <ToolFailure text={output} /> : <Terminal text={output} waiting={false} />}
            </div>
          )}
        </CardFrame>
      );
  }
}

function FileText({ path, text }: { path: string; text: string }) {
  const cut = text.length > shownCharacters;
  const shown = cut ? text.slice(0, shownCharacters) : text;
  return (
    <>
      <Code
        code={shown.replace(/\n$/, "")}
        language={languageOf(path)}
        settled
        className="max-h-96 overflow-y-auto px-3 py-2"
      />
      {cut && <Note>{texts.moreCharacters(grouped(text.length - shownCharacters))}</Note>}
    </>
  );
}

function Images({ content }: { content: readonly ResultContent[] }) {
  return content.map((block, index) =>
    block.type === "image" && block.data !== undefined ? (
      // A result never changes
      <div key={index} className="p-3">
        <Picture alt={texts.pictureOf} src={`data:${block.mime_type};base64,${block.data}`} />
      </div>
    ) : null,
  );
}

function pretty(value: unknown): string {
  return value === null || value === undefined ? "{}" : JSON.stringify(value, null, 2);
}
