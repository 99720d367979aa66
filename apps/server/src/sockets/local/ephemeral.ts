// `patchbay daemon --ephemeral`: the server ends a second after the last program has left the local socket, unless another connects.
// Viewers of a session also keep it running. It does not end before the first program has connected.
import type { Hub } from "../../session/hub/hub.ts";
import type { LocalSocket } from "./local-socket.ts";

const graceMs = 1_000;

export function endWhenUnused(socket: LocalSocket, hub: Hub, end: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (socket.peers > 0) return; // checked again when the last peer leaves
    const watched = hub.openSessions.some((session) => session.audience.size > 0);
    if (watched) timer = setTimeout(check, graceMs);
    else end();
  };
  socket.onEmpty = () => {
    clearTimeout(timer);
    timer = setTimeout(check, graceMs);
  };
}
