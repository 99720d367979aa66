// The process at the other end of a local socket, for the log. Node has no call for it, the Linux kernel has (SO_PEERCRED):
// perl, which nearly every system has, gets the socket and makes the call. Elsewhere the peer is unknown.
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import * as z from "zod/mini";

export interface PeerIdentity {
  pid: number;
  uid: number;
}

/** SOL_SOCKET and SO_PEERCRED of Linux; the answer is pid, uid, gid. */
const script = 'open my $peer, "+<&=", 3; print join " ", unpack "l3", getsockopt($peer, 1, 17)';

/** Only the log waits for the answer, and the helper holds the socket open as long as it runs. */
const timeoutMs = 2_000;

/** More connections than this at once are a flood, and not worth a process each. */
const maxHelpers = 2;
let running = 0;

const Handle = z.object({ fd: z.int().check(z.nonnegative()) });

/** Never rejects; undefined when the peer is unknown. */
export async function identify(socket: Socket): Promise<PeerIdentity | undefined> {
  // Passed as a number: Node stops reading a socket object that it passes to a child.
  const handle = Handle.safeParse(Reflect.get(socket, "_handle")).data;
  if (process.platform !== "linux" || handle === undefined || running >= maxHelpers) return undefined;
  running++;
  try {
    return await readCredentials(handle.fd);
  } finally {
    running--;
  }
}

function readCredentials(descriptor: number): Promise<PeerIdentity | undefined> {
  return new Promise((resolve) => {
    const helper = spawn("perl", ["-e", script], {
      // Not as its standard input: perl would make that blocking, and the server's end of the socket with it.
      stdio: ["ignore", "pipe", "ignore", descriptor],
      env: {},
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let answer = "";
    helper.once("error", () => resolve(undefined)); // no perl here
    helper.stdout?.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    helper.once("close", () => {
      const [, pid, uid] = /^(\d+) (\d+) \d+$/.exec(answer) ?? [];
      resolve(pid === undefined ? undefined : { pid: Number(pid), uid: Number(uid) });
    });
  });
}
