// Test files share a process (vitest.config.ts: isolate false). A file fails if it leaves state that could affect another file: an
// environment variable, another working directory, a listening server.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll } from "vitest";

const before = state();

// Hooks run in reverse order, so this one runs after those of the file itself.
afterAll(async () => {
  // A closed server leaves Node's list a moment later.
  for (let tries = 0; tries < 100 && state().servers > before.servers; tries++) await wait(10);
  const after = state();
  const left: string[] = [];
  for (const name of new Set([...before.env.keys(), ...after.env.keys()]))
    if (before.env.get(name) !== after.env.get(name)) left.push(`the environment variable ${name}`);
  if (after.directory !== before.directory) left.push(`the working directory ${after.directory}`);
  if (after.servers > before.servers) left.push(`${after.servers - before.servers} listening servers`);
  if (left.length > 0) throw new Error(`This test file leaves behind: ${left.join(", ")}.`);
});

function state(): { env: Map<string, string | undefined>; directory: string; servers: number } {
  const isVitests = (name: string): boolean => name.startsWith("VITEST");
  return {
    env: new Map(Object.entries(process.env).filter(([name]) => !isVitests(name))),
    directory: process.cwd(),
    servers: process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap").length,
  };
}
