// Where a program is: an absolute path, or a name that is looked up in PATH.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";

export function locateProgram(program: string, path: string): string | undefined {
  if (isAbsolute(program)) return isRunnable(program) ? program : undefined;
  if (program.includes(sep)) return program; // relative to the session's directory, which is not known here
  return path
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, program))
    .find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent or not executable: both mean "not available"
  }
}
