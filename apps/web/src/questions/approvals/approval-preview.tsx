// What a tool would do if it is allowed to: the change, the command, or its arguments. Long ones are folded until they are opened.
import { Code } from "../../code/code-block.tsx";
import { DiffView } from "../../code/diff/diff-view.tsx";
import { languageOf } from "../../code/language.ts";
import { grouped } from "../../format/number.ts";
import { questionsTexts as texts } from "../texts.ts";
import { countOf, foldedChanges, foldedCharacters, foldedLines, type Preview } from "./preview.ts";

interface Props {
  preview: Preview;
  isShown: boolean;
  onShow(): void;
}

export function ApprovalPreview({ preview, isShown, onShow }: Props) {
  if (preview.kind === "none") return null;
  return (
    <div className="mt-2 overflow-hidden rounded-md border border-line bg-sunken">
      {preview.kind === "diff" ? (
        <>
          {preview.path !== "" && (
            <p className="border-b border-line px-3 py-1 font-mono text-xs text-muted">{preview.path}</p>
          )}
          <DiffView
            lines={isShown ? preview.lines : preview.lines.slice(0, foldedChanges)}
            language={languageOf(preview.path)}
          />
        </>
      ) : (
        <Code
          code={isShown ? preview.text : beginningOf(preview.text)}
          language={preview.language}
          settled
          className="px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]"
        />
      )}
      {!isShown && (
        <button
          type="button"
          onClick={onShow}
          className="flex h-8 w-full items-center justify-center border-t border-line text-sm text-accent hover:bg-hover phone:h-11"
        >
          {showText(preview)}
        </button>
      )}
    </div>
  );
}

const beginningOf = (text: string): string =>
  text.slice(0, foldedCharacters).split("\n").slice(0, foldedLines).join("\n");

function showText(preview: Exclude<Preview, { kind: "none" }>): string {
  if (preview.kind === "diff") return texts.showAll(preview.lines.length);
  const lines = countOf(preview.text);
  return lines > foldedLines ? texts.showAll(lines) : texts.showWhole(grouped(preview.text.length));
}
