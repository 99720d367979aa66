// Deletes an extension's directory, after asking. A link is deleted, not what it points to.
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { CliError } from "./cli-error.ts";
import type { Installed } from "./installed.ts";

export async function removeExtension({ directory }: Installed, sure: boolean): Promise<void> {
  if (!sure && !(await confirmed(`Delete ${directory}? [y/N] `))) {
    process.stdout.write("Nothing was deleted.\n");
    return;
  }
  await rm(directory, { recursive: true, force: true });
  process.stdout.write(`Deleted ${directory}.\n`);
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CliError("cannot ask for confirmation here. Use --yes to delete it.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
