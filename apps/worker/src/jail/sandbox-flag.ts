// The value of `--sandbox`: the server has tried bubblewrap once for all workers, and knows which directories the operator
// opened. A worker that was started by hand finds out itself, when the first command needs it.
import { existsSync } from "node:fs";
import { findSandbox, type Sandbox } from "@patchbay/sandbox";
import * as z from "zod/mini";
import { OptionsError } from "../config/flags.ts";

const Paths = z._default(z.array(z.string()), []);
const Given = z.object({
  bubblewrap: z.optional(z.object({ program: z.string(), options: z.array(z.string()) })),
  problem: z.optional(z.string()),
  remedy: z.optional(z.string()),
  readable: Paths,
  writable: Paths,
});

export interface SandboxFlag {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Why it does not work, as far as that is known without trying. */
  knownProblem(): string | null;
  find(): Promise<Sandbox>;
}

export function readSandboxFlag(text: string | undefined, path: string): SandboxFlag {
  const { bubblewrap, problem, remedy = "", readable, writable } = parse(text);
  let sandbox: Promise<Sandbox> | undefined;
  if (bubblewrap !== undefined) sandbox = Promise.resolve({ works: true, bubblewrap });
  else if (problem !== undefined) sandbox = Promise.resolve({ works: false, problem, remedy });
  return {
    readable,
    writable,
    knownProblem() {
      if (problem !== undefined) return `${problem}. ${remedy}`;
      return bubblewrap === undefined || existsSync(bubblewrap.program)
        ? null
        : "bubblewrap is gone. Install it again";
    },
    find: () => (sandbox ??= findSandbox(path)),
  };
}

function parse(text: string | undefined): z.infer<typeof Given> {
  if (text === undefined) return Given.parse({});
  try {
    return Given.parse(JSON.parse(text));
  } catch {
    throw new OptionsError(`--sandbox must be JSON as the server writes it, not "${text}"`);
  }
}
