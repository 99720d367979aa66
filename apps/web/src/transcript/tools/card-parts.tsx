// The parts that opened cards are made of: a frame with a copy button, a terminal, a failure, a note.
import type { ReactNode } from "react";
import { Ansi } from "../../code/terminal/ansi.tsx";
import { CopyButton } from "../../ui/feedback/copy-button.tsx";
import { toolsTexts as texts } from "./texts.ts";

interface FrameProps {
  copy: string;
  /** What is in it, where there is a line to say so. */
  title?: string;
  children: ReactNode;
}

export function CardFrame({ copy, title = texts.output, children }: FrameProps) {
  return (
    <div className="group/frame relative overflow-hidden rounded-md border border-line bg-sunken">
      {copy !== "" && (
        // Over the first line, so it comes with the pointer; fingers have none, and get a line for it.
        <div className="absolute top-1 right-1 z-10 rounded-sm bg-sunken pointer-fine:opacity-0 phone:!opacity-100 group-hover/frame:opacity-100 focus-within:opacity-100 phone:static phone:flex phone:h-11 phone:justify-end phone:border-b phone:border-line">
          <span className="hidden flex-1 self-center pl-3 text-xs text-faint phone:block">{title}</span>
          <CopyButton text={copy} label={texts.copy} />
        </div>
      )}
      {children}
    </div>
  );
}

export function Terminal({ command, text, waiting }: { command?: string; text: string; waiting: boolean }) {
  return (
    <pre
      // What scrolls must scroll with the keyboard
      tabIndex={0}
      role="group"
      aria-label={texts.output}
      className="flex max-h-96 flex-col-reverse overflow-auto font-mono text-xs leading-5"
    >
      {/* The reversed column keeps the end in view while output arrives, without a script. */}
      <code className="px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {command !== undefined && <span className="text-faint">{`$ ${command}\n`}</span>}
        {text !== "" ? (
          <Ansi text={text} />
        ) : (
          <span className="text-faint">{waiting ? texts.noOutputYet : texts.noOutput}</span>
        )}
      </code>
    </pre>
  );
}

export const ToolFailure = ({ text }: { text: string }) => (
  <p className="bg-failed-soft px-3 py-2 pr-10 font-mono text-xs whitespace-pre-wrap text-failed">
    {text === "" ? texts.silentFailure : text}
  </p>
);

export const Note = ({ children }: { children: ReactNode }) => (
  <p className="border-t border-line px-3 py-1.5 text-xs text-faint">{children}</p>
);
