// `patchbay daemon --ephemeral`: ends a second after the last program has left the local socket, unless another
// comes meanwhile. Pages that look at a session count as well; before the first program has come, nothing ends.
import type { Hub } from "../../session/hub/hub.ts";
import type { LocalSocket } from "./local-socket.ts";

const graceMs = 1_000;

export function endWhenAlone(socket: LocalSocket, hub: Hub, end: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (socket.peers > 0) return; // its leaving looks again
    const watched = hub.openSessions.some((session) => session.audience.size > 0);
    if (watched) timer = setTimeout(look, graceMs);
    else end();
  };
  socket.onEmpty = () => {
    clearTimeout(timer);
    timer = setTimeout(look, graceMs);
  };
}
