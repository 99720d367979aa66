// Comments on lines of a diff, gathered until they are sent to the agent together. Kept in the browser, also while they
// are being written, so that neither a reload nor a look at another file loses one.
import * as z from "zod/mini";
import { create } from "zustand";

const Comment = z.object({
  path: z.string(),
  /** As it is now; of a removed line, as it was. */
  line: z.number(),
  removed: z.boolean(),
  code: z.string(),
  text: z.string(),
});
export type Comment = z.infer<typeof Comment>;

export type CommentPlace = Pick<Comment, "path" | "line" | "removed">;

/** `kept` wait to be sent together; `drafts` are still being written. */
interface Review {
  kept: readonly Comment[];
  drafts: readonly Comment[];
}

const keys = {
  kept: (session: string): string => `patchbay.comments.${session}`,
  drafts: (session: string): string => `patchbay.comment-drafts.${session}`,
};

function load(key: string): Comment[] {
  try {
    const read = z.array(Comment).safeParse(JSON.parse(localStorage.getItem(key) ?? "[]"));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

function store(key: string, comments: readonly Comment[]): void {
  try {
    if (comments.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(comments));
  } catch {
    // Not kept across a reload, then; they can be sent all the same.
  }
}

const useReviews = create<{ bySession: Readonly<Record<string, Review>> }>(() => ({ bySession: {} }));

/** What is not in memory yet is in the browser's storage. */
const reviewOf = (session: string): Review =>
  useReviews.getState().bySession[session] ?? {
    kept: load(keys.kept(session)),
    drafts: load(keys.drafts(session)),
  };

function change(session: string, to: Partial<Review>): void {
  const review = { ...reviewOf(session), ...to };
  useReviews.setState(({ bySession }) => ({ bySession: { ...bySession, [session]: review } }));
  if (to.kept !== undefined) store(keys.kept(session), to.kept);
  // A form that was opened by mistake and is empty is not kept.
  const written = to.drafts?.filter(({ text }) => text.trim() !== "");
  if (written !== undefined) store(keys.drafts(session), written);
}

export const isAt = (a: CommentPlace, b: CommentPlace): boolean =>
  a.path === b.path && a.line === b.line && a.removed === b.removed;

const others = (comments: readonly Comment[], place: CommentPlace): Comment[] =>
  comments.filter((comment) => !isAt(comment, place));

export function useComments(session: string) {
  const known = useReviews(({ bySession }) => bySession[session]);
  const { kept, drafts } = known ?? reviewOf(session);
  return {
    comments: kept,
    drafts,
    /** Keeps what is being written while another file is shown. */
    draft: (comment: Comment): void => {
      const now = reviewOf(session).drafts;
      const known = now.some((other) => isAt(other, comment));
      change(session, {
        drafts: known ? now.map((other) => (isAt(other, comment) ? comment : other)) : [...now, comment],
      });
    },
    drop: (place: CommentPlace): void => change(session, { drafts: others(reviewOf(session).drafts, place) }),
    /** It is written; an empty text takes it back. */
    put: (comment: Comment): void => {
      const now = reviewOf(session);
      const rest = others(now.kept, comment);
      change(session, {
        kept: comment.text.trim() === "" ? rest : [...rest, comment],
        drafts: others(now.drafts, comment),
      });
    },
    clear: (): void => change(session, { kept: [] }),
  };
}

/** The prompt with all comments. */
export function commentsPrompt(comments: readonly Comment[]): string {
  const parts = comments.map(({ path, line, removed, code, text }) => {
    const where = removed ? `\`${path}\`, where line ${line} was removed` : `\`${path}:${line}\``;
    return `${where}\n> ${code.trim() === "" ? "(an empty line)" : code}\n\n${text.trim()}`;
  });
  const intro =
    comments.length === 1 ? "A comment on your change" : `${comments.length} comments on your changes`;
  return `${intro}:\n\n${parts.join("\n\n---\n\n")}`;
}
