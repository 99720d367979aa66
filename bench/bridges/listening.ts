// A bridge program under measurement: started, awaited until its port accepts, and ended for certain.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";

export interface ListeningProgram extends AsyncDisposable {
  port: number;
  pid: number | undefined;
}

/** Between two tries to connect, and how many: ten seconds in all, then the program is broken. */
const retryMs = 20;
const maxTries = 500;

export async function startListening(
  command: (port: number) => [string, ...string[]],
): Promise<ListeningProgram> {
  const port = await freePort();
  const [program, ...args] = command(port);
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
  const exited = once(child, "exit");
  await untilAccepting(port, child);
  return {
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

async function untilAccepting(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs)); // websocketd does not say when it listens
  }
  child.kill("SIGKILL");
  throw new Error(`${child.spawnfile} does not listen`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
