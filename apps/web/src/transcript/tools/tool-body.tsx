// What an opened tool card shows: a terminal, a diff, a file, or plainly what went in and came out.
import type { ResultContent } from "@patchbay/protocol";
import type { ReactNode } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Code } from "../code-block.tsx";
import { languageOf } from "../language.ts";
import { Ansi } from "./ansi.tsx";
import type { ToolShape } from "./describe-tool.ts";
import { DiffView } from "./diff-view.tsx";
import { resultText, type ToolState } from "./tool-state.ts";

interface Props {
  name: string;
  shape: ToolShape;
  state: ToolState;
  args: unknown;
}

/** Files are shown up to here; the rest is one copy away. */
const shownCharacters = 60_000;

export function ToolBody({ shape, state, args }: Props) {
  const output =
    state.state === "done" ? resultText(state.content) : state.state === "running" ? state.output : "";
  const failed = state.state === "done" && state.failed;
  switch (shape.call.tool) {
    case "bash":
      return (
        <Frame copy={shape.bash?.text ?? ""}>
          <Terminal
            command={shape.call.command}
            text={shape.bash?.text ?? ""}
            waiting={state.state === "running"}
          />
          {shape.bash !== null && shape.bash.note !== "" && <Note>{shape.bash.note}</Note>}
        </Frame>
      );
    case "edit":
      return (
        <Frame copy={shape.call.edits.map((edit) => edit.newText).join("\n")}>
          <DiffView lines={shape.diff ?? []} />
          {failed && <Failure text={output} />}
        </Frame>
      );
    case "write":
      return (
        <Frame copy={shape.call.content}>
          {shape.diff === null ? (
            <FileText path={shape.call.path} text={shape.call.content} />
          ) : (
            <DiffView lines={shape.diff} />
          )}
          {failed && <Failure text={output} />}
        </Frame>
      );
    case "read":
      return (
        <Frame copy={output}>
          {failed ? <Failure text={output} /> : <FileText path={shape.call.path} text={output} />}
          <Images content={state.state === "done" ? state.content : []} />
        </Frame>
      );
    case "search":
      return (
        <Frame copy={output}>
          {failed ? (
            <Failure text={output} />
          ) : (
            <Terminal text={output} waiting={state.state === "running"} />
          )}
        </Frame>
      );
    case "other":
      return (
        <Frame copy={output}>
          <FileText path="arguments.json" text={state.state === "writing" ? state.argsText : pretty(args)} />
          {output !== "" && (
            <div className="border-t border-line">
              {failed ? <Failure text={output} /> : <Terminal text={output} waiting={false} />}
            </div>
          )}
          <Images content={state.state === "done" ? state.content : []} />
        </Frame>
      );
  }
}

function Frame({ copy, children }: { copy: string; children: ReactNode }) {
  return (
    <div className="group/frame relative overflow-hidden rounded-md border border-line bg-sunken">
      {copy !== "" && (
        // Over the first line, so it comes with the pointer; fingers have none, and see it always.
        <div className="absolute top-1 right-1 z-10 rounded-sm bg-sunken pointer-fine:opacity-0 group-hover/frame:opacity-100 focus-within:opacity-100">
          <CopyButton text={copy} label="Copy" />
        </div>
      )}
      {children}
    </div>
  );
}

function Terminal({ command, text, waiting }: { command?: string; text: string; waiting: boolean }) {
  return (
    <pre
      // What scrolls must scroll with the keyboard
      tabIndex={0}
      role="group"
      aria-label="Output"
      className="flex max-h-96 flex-col-reverse overflow-auto font-mono text-xs leading-5"
    >
      {/* The reversed column keeps the end in view while output arrives, without a script. */}
      <code className="px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {command !== undefined && <span className="text-faint">{`$ ${command}\n`}</span>}
        {text !== "" ? (
          <Ansi text={text} />
        ) : (
          <span className="text-faint">{waiting ? "no output yet" : "no output"}</span>
        )}
      </code>
    </pre>
  );
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
      {cut && (
        <Note>{`${(text.length - shownCharacters).toLocaleString("en-US")} more characters: copy to get them all`}</Note>
      )}
    </>
  );
}

const Failure = ({ text }: { text: string }) => (
  <p className="bg-failed-soft px-3 py-2 pr-10 font-mono text-xs whitespace-pre-wrap text-failed">
    {text === "" ? "The tool failed and said nothing." : text}
  </p>
);

const Note = ({ children }: { children: ReactNode }) => (
  <p className="border-t border-line px-3 py-1.5 text-xs text-faint">{children}</p>
);

function Images({ content }: { content: readonly ResultContent[] }) {
  return content.map((block, index) =>
    block.type === "image" && block.data !== undefined ? (
      <img
        // A result never changes
        key={index}
        alt="What the tool returned"
        src={`data:${block.mime_type};base64,${block.data}`}
        className="max-h-80 p-3"
      />
    ) : null,
  );
}

function pretty(value: unknown): string {
  return value === null || value === undefined ? "{}" : JSON.stringify(value, null, 2);
}
