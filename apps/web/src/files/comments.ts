// Comments on lines of a diff, gathered until they are sent to the agent together. Kept in the browser, so that a
// reload loses none.
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

const keyOf = (session: string): string => `patchbay.comments.${session}`;

function load(session: string): Comment[] {
  try {
    const read = z.array(Comment).safeParse(JSON.parse(localStorage.getItem(keyOf(session)) ?? "[]"));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

interface CommentStore {
  bySession: Readonly<Record<string, readonly Comment[]>>;
  set(session: string, comments: readonly Comment[]): void;
}

const useStore = create<CommentStore>((set) => ({
  bySession: {},
  set(session, comments) {
    set(({ bySession }) => ({ bySession: { ...bySession, [session]: comments } }));
    try {
      if (comments.length === 0) localStorage.removeItem(keyOf(session));
      else localStorage.setItem(keyOf(session), JSON.stringify(comments));
    } catch {
      // Not kept across a reload, then; they can be sent all the same.
    }
  },
}));

const sameLine = (a: Comment, b: Omit<Comment, "text">): boolean =>
  a.path === b.path && a.line === b.line && a.removed === b.removed;

export function useComments(session: string) {
  const known = useStore(({ bySession }) => bySession[session]);
  const set = useStore((store) => store.set);
  const comments = known ?? load(session);
  return {
    comments,
    /** An empty text takes it back. */
    put(comment: Comment): void {
      const others = comments.filter((other) => !sameLine(other, comment));
      set(session, comment.text.trim() === "" ? others : [...others, comment]);
    },
    clear: () => set(session, []),
  };
}

/** What the agent is asked. */
export function promptOf(comments: readonly Comment[]): string {
  const parts = comments.map(({ path, line, removed, code, text }) => {
    const where = removed ? `\`${path}\`, where line ${line} was removed` : `\`${path}:${line}\``;
    return `${where}\n> ${code.trim() === "" ? "(an empty line)" : code}\n\n${text.trim()}`;
  });
  const intro =
    comments.length === 1 ? "A comment on your change" : `${comments.length} comments on your changes`;
  return `${intro}:\n\n${parts.join("\n\n---\n\n")}`;
}
