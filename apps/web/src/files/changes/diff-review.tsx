// One file's difference, line by line; a click on a line writes a comment to the agent.
import { MessageSquarePlus } from "lucide-react";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { useDiffColours } from "../../code/diff/diff-colours.ts";
import { languageOf } from "../../code/language.ts";
import { grouped } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import type { ChangeEntry } from "../api.ts";
import { filesTexts } from "../texts.ts";
import { type Comment, type CommentPlace, isAt, useComments } from "./comments.ts";
import { type DiffRow, readRows } from "./read-diff.ts";

const looks: Readonly<Record<DiffRow["kind"], { sign: string; row: string; ink: string }>> = {
  added: { sign: "+", row: "bg-added", ink: "text-added-ink" },
  removed: { sign: "−", row: "bg-removed", ink: "text-removed-ink" },
  same: { sign: " ", row: "", ink: "text-muted" },
  gap: { sign: "⋯", row: "bg-sunken", ink: "text-faint" },
};

/** More than this is not drawn at once: a page of so many lines is for an editor. */
const maxRows = 4_000;

export function DiffReview({ session, file, diff }: { session: string; file: ChangeEntry; diff: string }) {
  const rows = useMemo(() => readRows(diff), [diff]);
  const coloured = useDiffColours(rows, languageOf(file.path));
  // A comment that is shown again does not take the focus; one that was just opened does.
  const [opened, setOpened] = useState<CommentPlace | null>(null);
  const { comments, drafts, draft, drop, put } = useComments(session);
  if (rows.length === 0) return <p className="p-4 text-sm text-muted">{withoutLines(file)}</p>;
  const at = (row: DiffRow): Omit<Comment, "text"> => ({
    path: file.path,
    line: row.after ?? row.before ?? 0,
    removed: row.kind === "removed",
    code: row.text,
  });
  const commentOn = (row: DiffRow): Comment | undefined => comments.find((comment) => isAt(comment, at(row)));
  const begin = (comment: Comment): void => {
    setOpened(comment);
    if (!drafts.some((one) => isAt(one, comment))) draft(comment);
  };
  const form = (writing: Comment): ReactNode => (
    <CommentForm
      draft={writing.text}
      focused={opened !== null && isAt(opened, writing)}
      before={comments.find((comment) => isAt(comment, writing))?.text ?? ""}
      onDraft={(text) => draft({ ...writing, text })}
      onDone={(text) => {
        if (text === null) drop(writing);
        else put({ ...writing, text });
      }}
    />
  );
  const writingOn = (row: DiffRow): Comment | undefined =>
    row.kind === "gap" ? undefined : drafts.find((one) => isAt(one, at(row)));
  // The agent may change the line while the person writes about it
  const adrift = drafts.filter(
    (one) => one.path === file.path && !rows.some((row) => writingOn(row) === one),
  );
  return (
    <div
      role="table"
      aria-label={filesTexts.changesOf(file.path)}
      className="py-1 font-mono text-xs leading-5"
    >
      <p className="hidden px-4 pt-1 pb-2 font-sans text-xs text-faint phone:block">
        {filesTexts.tapToComment}
      </p>
      {adrift.map((one) => (
        <InRow key={`${one.line} ${one.removed}`}>{form(one)}</InRow>
      ))}
      {rows.slice(0, maxRows).map((row, index) => {
        const look = looks[row.kind];
        const comment = commentOn(row);
        const writing = writingOn(row);
        return (
          // The lines of a diff never change
          <Fragment key={index}>
            <div
              role="row"
              className={`group/line relative flex min-h-5 phone:min-h-7 phone:py-1 ${look.row}`}
            >
              <span
                role="cell"
                className="w-10 shrink-0 pr-1 text-right text-faint tabular-nums select-none phone:hidden"
              >
                {row.before}
              </span>
              <span
                role="cell"
                className="w-10 shrink-0 pr-1 text-right text-faint tabular-nums select-none phone:w-9"
              >
                {row.after ?? <span className="hidden phone:inline">{row.before}</span>}
              </span>
              <span role="cell" className="w-6 shrink-0 text-center phone:w-0">
                {row.kind !== "gap" && (
                  <button
                    type="button"
                    aria-label={filesTexts.commentOn(row.after ?? row.before ?? 0)}
                    onClick={() => begin({ ...at(row), text: comment?.text ?? "" })}
                    // On a phone the whole line is to be tapped
                    className={`flex size-5 items-center justify-center rounded-sm text-accent focus-visible:opacity-100 phone:absolute phone:inset-0 phone:size-auto phone:opacity-0 ${comment === undefined ? "opacity-0 group-hover/line:opacity-100 phone:group-hover/line:opacity-0" : ""}`}
                  >
                    <MessageSquarePlus size={13} aria-hidden />
                  </button>
                )}
              </span>
              <span role="cell" aria-hidden className={`w-5 shrink-0 text-center select-none ${look.ink}`}>
                {look.sign}
              </span>
              <LineText row={row} html={coloured.get(row)} />
            </div>
            {writing !== undefined ? (
              <InRow>{form(writing)}</InRow>
            ) : (
              comment !== undefined && (
                <InRow>
                  <CommentText text={comment.text} onEdit={() => begin(comment)} />
                </InRow>
              )
            )}
          </Fragment>
        );
      })}
      {rows.length > maxRows && (
        <p className="px-4 py-3 font-sans text-sm text-muted">
          {filesTexts.moreLines(grouped(rows.length - maxRows))}
        </p>
      )}
    </div>
  );
}

function LineText({ row, html }: { row: DiffRow; html: string | undefined }) {
  const classes = "min-w-0 flex-1 pr-4 [overflow-wrap:anywhere] whitespace-pre-wrap";
  // Without colours of its language a line has the colour of its kind.
  if (html === undefined || row.kind === "gap")
    return (
      <span role="cell" className={`${classes} ${looks[row.kind].ink}`}>
        {row.text}
      </span>
    );
  // highlight.js escaped everything but its own spans
  return <span role="cell" className={classes} dangerouslySetInnerHTML={{ __html: html }} />;
}

const InRow = ({ children }: { children: ReactNode }) => (
  <div role="row">
    <div role="cell">{children}</div>
  </div>
);

const CommentText = ({ text, onEdit }: { text: string; onEdit(): void }) => (
  <button
    type="button"
    onClick={onEdit}
    className="my-1 ml-10 block max-w-[70ch] rounded-md border-l-2 border-fill bg-needs-soft px-3 py-2 text-left font-sans text-sm whitespace-pre-wrap text-ink phone:ml-9"
  >
    {text}
  </button>
);

interface FormProps {
  draft: string;
  focused: boolean;
  /** What was kept of it so far. */
  before: string;
  onDraft(text: string): void;
  onDone(text: string | null): void;
}

function CommentForm({ draft, focused, before, onDraft, onDone }: FormProps) {
  return (
    <form
      className="my-1 mr-3 ml-10 max-w-[560px] rounded-md border border-edge bg-raised p-2 font-sans phone:mx-2"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(draft);
      }}
    >
      <textarea
        aria-label={filesTexts.commentField}
        // Opened by the person, to be written in
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={focused}
        rows={3}
        value={draft}
        placeholder={filesTexts.commentPlaceholder}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone(null);
          else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onDone(draft);
          else return;
          event.preventDefault(); // or Esc would stop the agent as well
        }}
        className="block w-full resize-y bg-transparent px-1 py-0.5 text-sm outline-none"
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button look="quiet" onClick={() => onDone(null)}>
          {filesTexts.cancel}
        </Button>
        <Button look="plain" type="submit">
          {before !== "" && draft.trim() === "" ? filesTexts.deleteComment : filesTexts.addComment}
        </Button>
      </div>
    </form>
  );
}

const withoutLines = ({ change, from, added }: ChangeEntry): string => {
  if (added === null) return filesTexts.notText;
  if (change === "renamed") return filesTexts.renamedOnly(from ?? filesTexts.anotherName);
  return filesTexts.emptyOrMode;
};
