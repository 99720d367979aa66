// What became of an extension's process, for a person.

export function describeFailure(error: Error, program: string): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT")
    return `it cannot be started: there is no ${program}; check "exec" in extension.json`;
  if (code === "EACCES")
    return `it cannot be started: ${program} may not be run; make it so with chmod +x ${program}`;
  if (code === "ENOEXEC")
    return `it cannot be started: ${program} is no program; a script begins with a line such as #!/bin/sh`;
  return `it cannot be started: ${error.message}`;
}

export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with exit code ${code ?? "unknown"}` : `it was ended by ${signal}`;
}
