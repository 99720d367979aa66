// How to get to the end of each transcript that is on the screen, for what stands outside of it.
const jumps = new Map<string, () => void>();

/** Until the returned function is called. */
export function registerJump(session: string, jump: () => void): () => void {
  jumps.set(session, jump);
  return () => {
    if (jumps.get(session) === jump) jumps.delete(session);
  };
}

export const jumpOf = (session: string): (() => void) | undefined => jumps.get(session);
