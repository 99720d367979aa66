// Turns an extension on or off in its manifest. Everything else in the file stays, in its order.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { manifestPath } from "../extensions/discovery/manifest.ts";
import { CliError } from "./cli-error.ts";
import type { Installed } from "./installed.ts";

export async function setEnabled({ directory, manifest, state }: Installed, enabled: boolean): Promise<void> {
  if (manifest === null) throw new CliError(`it is ${state}. Fix that first.`);
  const { name } = manifest;
  const setting = enabled ? "enabled" : "disabled";
  if ((manifest.enabled ?? true) === enabled) {
    process.stdout.write(`${name} is ${setting} already.\n`);
    return;
  }
  const file = manifestPath(directory);
  const now = z.parse(z.record(z.string(), z.unknown()), JSON.parse(await readFile(file, "utf8")));
  const draft = `${file}.new`;
  try {
    await writeFile(draft, `${JSON.stringify({ ...now, enabled }, null, 2)}\n`);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  process.stdout.write(`${name} is ${setting} in new sessions, and in open ones after /reload-ext.\n`);
}
