// The home directory (0700) and the access token in it (0600), both made on first start.
import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";
import { StartError } from "./start-error.ts";

export function prepareHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    accessSync(home, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `Cannot write to the home directory ${home} (${errorCode(error)}). Choose another with --home.`,
    );
  }
}

/** The token of this installation; the same on every start, so that a bookmark or a script keeps working. */
export function readOrMakeToken(home: string): string {
  const path = join(home, "token");
  try {
    const token = readFileSync(path, "utf8").trim();
    if (token !== "") return token;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") {
      throw new StartError(`Cannot read the token file ${path}. Check its permissions, or remove it.`);
    }
  }
  const token = randomBytes(32).toString("base64url");
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return token;
}
