// Hashes passwords with argon2id (the library's default), as OWASP recommends it: 19 MiB, two passes, 11 ms. The library is native and is loaded when the first
// person chooses or types a password.
import { createRequire } from "node:module";
import type * as Argon2 from "@node-rs/argon2";
import { PatchbayError } from "@patchbay/protocol";

const memoryKiB = 19_456;
const passes = 2;

/** Hashes run in Node's threads, which also write the logs of sessions. */
const maxRunning = 2;

/** At 11 ms each they wait for a third of a second. */
const maxWaiting = 60;

/** No password has this hash. It is compared with where there is no person or no password, so that both take the same time. */
const nobody =
  "$argon2id$v=19$m=19456,t=2,p=1$cGF0Y2hiYXktbm9ib2R5$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** Not by `import()`: the bundle runs in a script of V8's, where that finds nothing. */
const load = createRequire(import.meta.url);
const argon2 = (): typeof Argon2 => load("@node-rs/argon2");

let running = 0;
const waiting: (() => void)[] = [];

export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () => {
    const { hash } = argon2();
    return hash(password, { memoryCost: memoryKiB, timeCost: passes, parallelism: 1 });
  });

/** `hash` undefined: it takes as long, and is false. */
export const isPassword = (password: string, hash: string | undefined): Promise<boolean> =>
  inTurn(async () => {
    const { verify } = argon2();
    const isRight = await verify(hash ?? nobody, password);
    return isRight && hash !== undefined;
  });

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting) throw new PatchbayError("too_many");
    await new Promise<void>((resolve) => waiting.push(resolve)); // the place is handed over
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
