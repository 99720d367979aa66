import { identify } from "../machine/processes/peer-identity.ts";
import { LocalSocket } from "../sockets/local/local-socket.ts";
import { feature } from "./feature.ts";

/** The sessions of this server for programs of the same person, without a token. */
export const localSocketFeature = feature({
  name: "local socket",
  needs: ["config", "version", "log", "machine", "hub", "logins", "localMethods", "access", "rights"],
  adds: [],
  start({
    config: { home },
    version,
    log,
    machine: { workers },
    hub,
    logins,
    localMethods: added,
    access,
    rights,
  }) {
    const actor = () => access.actorOf({ kind: "token" });
    const localSocket = new LocalSocket({
      ...{ hub, workers, logins, version, home, added, identify, log, rights, actor },
    });
    return { localSocket, close: () => localSocket.close() };
  },
});
