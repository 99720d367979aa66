// The home directory (0700) and the access token in it (0600), both made on first start.
import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../diagnostics/error-code.ts";
import { StartError } from "../diagnostics/start-error.ts";

export function prepareHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    accessSync(home, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `Cannot write to the home directory ${home} (${errorCode(error)}). Choose another directory with --home.`,
    );
  }
}

/** A shorter token can be guessed. Generated ones have 43 characters. */
const minTokenLength = 32;

/** Checks a token that the operator chose. */
export function checkToken(token: string): string {
  if (token.length >= minTokenLength) return token;
  throw new StartError(
    `PATCHBAY_TOKEN has ${token.length} characters, but needs at least ${minTokenLength}. Create one with "openssl rand -base64 32", or unset the variable: Patchbay then creates a token in the home directory.`,
  );
}

export const tokenPath = (home: string): string => join(home, "token");

/** The token of this home. It is the same on every start, so that scripts keep working. */
export function readOrMakeToken(home: string): string {
  const known = readToken(home);
  if (known !== undefined) return known;
  const token = randomBytes(32).toString("base64url");
  writeFileSync(tokenPath(home), `${token}\n`, { mode: 0o600 });
  return token;
}

/** Undefined: there is none yet. */
export function readToken(home: string): string | undefined {
  const path = tokenPath(home);
  try {
    const token = readFileSync(path, "utf8").trim();
    return token === "" ? undefined : token;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new StartError(`Cannot read the token file ${path}. Check its permissions, or remove it.`);
  }
}
