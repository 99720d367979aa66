import { identify } from "../machine/processes/peer-identity.ts";
import { LocalSocket } from "../sockets/local/local-socket.ts";
import { feature } from "./feature.ts";

/** The sessions of this server for programs of the same person, without a token. */
export const localSocketFeature = feature({
  name: "local socket",
  needs: ["config", "version", "log", "machine", "hub", "logins", "localMethods"],
  adds: [],
  start({ config: { home }, version, log, machine: { workers }, hub, logins, localMethods: added }) {
    const localSocket = new LocalSocket({ hub, workers, logins, version, home, added, identify, log });
    return { localSocket, close: () => localSocket.close() };
  },
});
