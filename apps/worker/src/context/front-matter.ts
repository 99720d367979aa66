// The YAML between two `---` lines at the start of a markdown file. What people write there is often not
// quite YAML (`description: use when: …`, `argument-hint: [a] [b]`), so a line that fails is taken as text.

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const opening = /^\uFEFF?---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;

/** Rejects with what is wrong; a file without front matter has no fields. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const start = opening.exec(text);
  if (start === null) return { fields: {}, body: text };
  const rest = text.slice(start[0].length);
  const end = closing.exec(rest);
  if (end === null) throw new Error("its front matter has no closing --- line");
  const { parse } = await import("./yaml.ts");
  const source = rest.slice(0, end.index);
  const read = (yaml: string): Readonly<Record<string, unknown>> => {
    const value: unknown = parse(yaml) ?? {};
    if (!isRecord(value)) throw new Error("its front matter is not a list of `name: value` lines");
    return value;
  };
  const body = rest.slice(end.index + end[0].length);
  try {
    return { fields: read(source), body };
  } catch (error) {
    try {
      return { fields: read(quoted(source)), body };
    } catch {
      const [summary] = (error instanceof Error ? error.message : String(error)).split("\n");
      throw new Error(`its front matter is not YAML: ${summary ?? ""}`, { cause: error });
    }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every value that stands on the line of its name becomes a string. */
const quoted = (source: string): string =>
  source.replace(
    /^([A-Za-z][\w-]*):[ \t]+(?!["'|>])(\S.*?)[ \t]*$/gm,
    (_line, name: string, value: string) => `${name}: ${JSON.stringify(value)}`,
  );

/** A field as text, or undefined where it is empty or an object. */
export function fieldText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  // `argument-hint: [file]` is a list to YAML.
  if (Array.isArray(value)) return value.map((item) => `[${String(item)}]`).join(" ");
  return undefined;
}
