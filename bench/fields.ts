// Reads numbers out of the JSON that measured programs print; anything else there is a broken measurement.

/** The number at a path of names, or the fallback when nothing stands there. */
export function numberAt(value: unknown, path: readonly string[], fallback?: number): number {
  const found = valueAt(value, path);
  if (typeof found === "number") return found;
  if (found === undefined && fallback !== undefined) return fallback;
  throw new Error(`no number at ${path.join(".")} in ${JSON.stringify(value)?.slice(0, 200)}`);
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}
