// How to get to the end of each transcript that is on the screen, and how to open its find bar, for what stands outside of it.
const jumps = new Map<string, () => void>();

/** Until the returned function is called. */
export function registerJump(session: string, jump: () => void): () => void {
  jumps.set(session, jump);
  return () => {
    if (jumps.get(session) === jump) jumps.delete(session);
  };
}

export const jumpOf = (session: string): (() => void) | undefined => jumps.get(session);

const finds = new Map<string, () => void>();

/** Until the returned function is called. */
export function registerFind(session: string, find: () => void): () => void {
  finds.set(session, find);
  return () => {
    if (finds.get(session) === find) finds.delete(session);
  };
}

export const findOf = (session: string): (() => void) | undefined => finds.get(session);
