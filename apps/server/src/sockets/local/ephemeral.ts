// `patchbay daemon --ephemeral`: the server ends a second after the last program has left the local socket, unless another connects.
// Viewers of a session also keep it running, and have the same second to come back: a page that reloads leaves for a moment.
// It does not end before the first program has connected.
import type { Hub } from "../../session/hub/hub.ts";
import type { LocalSocket } from "./local-socket.ts";

const graceMs = 1_000;

export function endWhenUnused(
  socket: Pick<LocalSocket, "peers" | "onEmpty">,
  hub: { readonly openSessions: readonly Viewed[] },
  end: () => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  /** A viewer was there at the last check: it may have left just now. */
  let wasWatched = false;
  const check = () => {
    if (socket.peers > 0) return; // checked again when the last peer leaves
    const isWatched = hub.openSessions.some(({ audience }) => audience.size > 0);
    if (!isWatched && !wasWatched) return end();
    wasWatched = isWatched;
    timer = setTimeout(check, graceMs);
  };
  socket.onEmpty = () => {
    clearTimeout(timer);
    timer = setTimeout(check, graceMs);
  };
}

type Viewed = { readonly audience: Pick<Hub["openSessions"][number]["audience"], "size"> };
