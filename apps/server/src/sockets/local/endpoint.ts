// The socket file: `daemon.sock` in the home, 0600 in a directory that is 0700. A file without a listener (its server was killed) is
// removed. A file with a listener is an error.
import { chmodSync, lstatSync, unlinkSync } from "node:fs";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { errorCode } from "../../diagnostics/error-code.ts";
import { StartError } from "../../diagnostics/start-error.ts";

/** The system's limit for the address of a socket (108 with its final zero; 104 on macOS). */
const maxPathBytes = process.platform === "darwin" ? 103 : 107;

export const socketPath = (home: string): string => join(home, "daemon.sock");

/** Listens, and restricts the file before the server announces it. */
export async function listenAt(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new StartError(
      `The path of the local socket is too long: ${path} (at most ${maxPathBytes} bytes). Choose a shorter path with --home.`,
    );
  }
  await removeStale(path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
  chmodSync(path, 0o600);
}

async function removeStale(path: string): Promise<void> {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return;
  if (!file.isSocket()) {
    throw new StartError(
      `${path} is not a socket, but the local socket needs this path. Move the file elsewhere.`,
    );
  }
  if (await hasListener(path)) {
    throw new StartError(
      `Another program is listening on ${path}. Stop it, or choose another directory with --home.`,
    );
  }
  unlinkSync(path);
}

/** Only a refused connection proves that there is no listener: it may be busy, or deny access. */
function hasListener(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", (error) => resolve(errorCode(error) !== "ECONNREFUSED"));
  });
}
