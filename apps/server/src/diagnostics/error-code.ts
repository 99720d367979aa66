// The code of a system error (`ENOENT`, `EADDRINUSE`), or undefined for anything else.
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
