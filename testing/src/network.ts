// A proxy between a browser and a server that simulates a change of the network (another Wi-Fi, a VPN): existing connections stay open
// but transfer nothing, new ones work.
import { connect, createServer, type Socket } from "node:net";

export interface Network extends AsyncDisposable {
  /** The address of the server behind this proxy. */
  through(address: string): string;
  /** Silently blocks all open connections; `sessions`: only those of session sockets. */
  change(what?: "everything" | "sessions"): void;
}

export async function startNetwork(server: string): Promise<Network> {
  const { port, hostname } = new URL(server);
  const open = new Set<{ ends: Socket[]; isLine: boolean; dead: boolean }>();
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pair = { ends: [near, far], isLine: false, dead: false };
    open.add(pair);
    const forward = (from: Socket, to: Socket): void => {
      from.on("data", (data) => {
        if (from === near && /^GET \S*\/socket\?/.test(data.toString("latin1"))) pair.isLine = true;
        if (!pair.dead) to.write(data);
      });
      from.on("error", () => {}); // `close` follows
      from.on("close", () => {
        if (pair.dead) return;
        open.delete(pair);
        to.destroy();
      });
    };
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const here = typeof address === "object" && address !== null ? address.port : 0;
  return {
    through: (to) => Object.assign(new URL(to), { port: String(here) }).href,
    change(what = "everything") {
      for (const pair of open) pair.dead ||= what === "everything" || pair.isLine;
    },
    async [Symbol.asyncDispose]() {
      for (const { ends } of open) for (const end of ends) end.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
