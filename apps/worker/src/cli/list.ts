// The table of `patchbay ext list`.
import type { Installed } from "./installed.ts";

export function listExtensions(all: readonly Installed[], home: string, cwd: string): void {
  if (all.length === 0) {
    process.stderr.write(
      `No extensions in ${home}/extensions or ${cwd}/.patchbay/extensions. Install one with: patchbay ext install <path|git-url>\n`,
    );
    return;
  }
  const rows = all.map(({ scope, base, directory, manifest, state }) => [
    scope,
    manifest?.name ?? base,
    manifest?.version ?? "",
    state,
    manifest?.language ?? "",
    manifest?.description ?? "",
    directory,
  ]);
  const table = [["SCOPE", "NAME", "VERSION", "STATE", "LANGUAGE", "DESCRIPTION", "DIRECTORY"], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}
