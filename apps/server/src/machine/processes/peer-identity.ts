// Who is at the other end of a local socket, for the log. Node does not tell, the Linux kernel does (SO_PEERCRED):
// perl, which nearly every system has, is given the socket and asks. Where it cannot be known, it is unknown.
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import * as z from "zod/mini";

export interface PeerIdentity {
  pid: number;
  uid: number;
}

/** SOL_SOCKET and SO_PEERCRED of Linux; the answer is pid, uid, gid. */
const question = 'open my $peer, "+<&=", 3; print join " ", unpack "l3", getsockopt($peer, 1, 17)';

/** Nobody waits for the answer but the log, and the helper holds the socket open as long as it runs. */
const patienceMs = 2_000;

/** More than this at once are a flood, and not worth a process each. */
const maxAsking = 2;
let asking = 0;

const Handle = z.object({ fd: z.int().check(z.nonnegative()) });

/** Never rejects; undefined when the system does not tell. */
export async function identify(socket: Socket): Promise<PeerIdentity | undefined> {
  // Given as a number: a socket given as such would no longer be read here.
  const handle = Handle.safeParse(Reflect.get(socket, "_handle")).data;
  if (process.platform !== "linux" || handle === undefined || asking >= maxAsking) return undefined;
  asking++;
  try {
    return await ask(handle.fd);
  } finally {
    asking--;
  }
}

function ask(descriptor: number): Promise<PeerIdentity | undefined> {
  return new Promise((resolve) => {
    const helper = spawn("perl", ["-e", question], {
      // Not as its standard input: that would be made to block, and this server's end of the socket with it.
      stdio: ["ignore", "pipe", "ignore", descriptor],
      env: {},
      timeout: patienceMs,
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
