// Reads an extension's manifest. An error names the file and the field, for the extension's author.
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { explain } from "@patchbay/protocol";
import { ExtensionManifest } from "@patchbay/protocol/extension";

export type ManifestReading =
  | { readonly ok: true; readonly manifest: ExtensionManifest }
  | { readonly ok: false; readonly absent: boolean; readonly problem: string };

export const manifestPath = (directory: string): string => join(directory, "extension.json");

export async function readManifest(directory: string): Promise<ManifestReading> {
  const file = manifestPath(directory);
  const wrong = (problem: string, absent = false): ManifestReading => ({
    ok: false,
    absent,
    problem: `${file}: ${problem}`,
  });
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR")
      return wrong("the file does not exist; an extension needs one", true);
    return wrong(error instanceof SyntaxError ? `not JSON: ${error.message}` : String(error));
  }
  const read = ExtensionManifest.safeParse(value);
  return read.success ? { ok: true, manifest: read.data } : wrong(explain(read.error));
}

/** The program to start, as zot finds it. */
export function programOf({ exec }: ExtensionManifest, directory: string): string {
  if (isAbsolute(exec) || !exec.includes("/")) return exec;
  return join(directory, exec);
}
