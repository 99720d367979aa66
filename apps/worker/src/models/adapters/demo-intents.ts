// What a person asks of the demo model, found in loose English: the tool calls it should make, with
// their arguments taken from the prompt. Pure, so that the same prompt gives the same plan at each step.

export interface PlannedCall {
  readonly name: "read" | "write" | "edit" | "bash";
  readonly args: Readonly<Record<string, unknown>>;
  /** What the demo announces before the call. */
  readonly intention: string;
}

/** A word that looks like a file: it has an extension or a slash, or stands in quotes or backticks. */
const bare = String.raw`[\w.@~+-]*(?:\/[\w.@+-]+)+\/?|[\w.@~+-]+\/|[\w@+-]*\.\w[\w.+-]*|Makefile|Dockerfile|LICENSE|README`;
const file = String.raw`(?:\`(?<tick>[^\`]+)\`|"(?<quote>[^"]+)"|'(?<single>[^']+)'|(?<bare>${bare}))`;
const polite = String.raw`^(?:please|now|and|also|first|ok|okay|can you|could you|would you|i want you to|,|\s)*`;

interface Memory {
  /** The last file named, for "it". */
  path: string | null;
}

export function plan(prompt: string): PlannedCall[] {
  const memory: Memory = { path: null };
  const parts = splitSteps(prompt);
  return parts.flatMap(
    (part) => readers.map((read) => read(part, memory)).find((call) => call !== null) ?? [],
  );
}

/** "… then …" separates steps, but not inside quotes or code. */
function splitSteps(prompt: string): string[] {
  const hidden: string[] = [];
  const masked = prompt.replace(
    /```[\s\S]*?```|`[^`]*`|"[^"]*"/g,
    (text) => `\uE000${hidden.push(text) - 1}\uE000`,
  );
  return masked
    .split(
      /(?:[,;.]\s*|\s+)(?:and\s+)?then\s+|\n+(?=\d+[.)]\s)|\s+and\s+(?=(?:run|execute|list|read|show|write|create|edit|replace)\b)/i,
    )
    .map((part) => part.replace(/\uE000(\d+)\uE000/g, (_, index) => hidden[Number(index)] ?? ""))
    .map((part) => part.replace(/^\s*\d+[.)]\s*/, "").trim())
    .filter((part) => part !== "");
}

type Reader = (part: string, memory: Memory) => PlannedCall | null;

const match = (part: string, pattern: string): RegExpExecArray | null =>
  new RegExp(polite + pattern, "is").exec(part);

function pathIn(groups: Record<string, string | undefined> | undefined, memory: Memory): string | null {
  const path = groups?.["tick"] ?? groups?.["quote"] ?? groups?.["single"] ?? groups?.["bare"];
  if (path !== undefined) memory.path = path.replace(/[.,;:!?]+$/, "");
  return path === undefined ? memory.path : memory.path;
}

const readEdit: Reader = (part, memory) => {
  const value = (name: string) =>
    String.raw`(?:\`(?<${name}T>[^\`]+)\`|"(?<${name}Q>[^"]+)"|'(?<${name}S>[^']+)'|(?<${name}B>.+?))`;
  const change = String.raw`(?:replace|change|substitute|rename)\s+(?:the\s+(?:word|text|line|string)\s+)?${value("old")}\s+(?:with|to|by|into)\s+${value("new")}`;
  const found =
    match(part, String.raw`${change}\s+in\s+(?:the\s+file\s+)?(?:${file}|it\b).*$`) ??
    match(
      part,
      String.raw`(?:in|edit)\s+(?:the\s+file\s+)?(?:${file}|it\b)[\s,:]*(?:and\s+)?${change}\s*[.!]?$`,
    );
  if (found === null) return null;
  const groups = found.groups ?? {};
  const pick = (name: string) =>
    groups[`${name}T`] ?? groups[`${name}Q`] ?? groups[`${name}S`] ?? groups[`${name}B`] ?? "";
  const path = pathIn(groups, memory);
  if (path === null) return null;
  const edits = [{ oldText: pick("old"), newText: pick("new") }];
  return { name: "edit", args: { path, edits }, intention: `replace \`${pick("old")}\` in \`${path}\`` };
};

const readWrite: Reader = (part, memory) => {
  const verb = String.raw`(?:write|create|make|add|save)\s+(?:me\s+)?(?:a\s+|an\s+|the\s+)?(?:new\s+|small\s+|text\s+)*(?:file\s+)?(?:called\s+|named\s+|at\s+)?`;
  const text = String.raw`(?:with|containing|that\s+(?:says|contains)|saying|:)\s*(?:the\s+|this\s+)?(?:text|content|contents|line|words)?\s*:?\s*(?<text>.+)$`;
  const found = match(part, String.raw`${verb}${file}\s*,?\s*(?:file\s+)?${text}`);
  if (found !== null) {
    const path = pathIn(found.groups, memory);
    if (path !== null) return writeCall(path, found.groups?.["text"] ?? "");
  }
  const other = match(
    part,
    String.raw`(?:write|put|save)\s+(?<text>.+?)\s+(?:to|into|in)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?${file}`,
  );
  if (other !== null) {
    const path = pathIn(other.groups, memory);
    if (path !== null) return writeCall(path, other.groups?.["text"] ?? "");
  }
  const empty = match(part, String.raw`${verb}${file}`);
  const path = empty === null ? null : pathIn(empty.groups, memory);
  return path === null ? null : writeCall(path, "Written by Patchbay's offline demo model.");
};

function writeCall(path: string, text: string): PlannedCall {
  const block = /^```\w*\n([\s\S]*?)```/.exec(text.trim())?.[1];
  const content = block ?? `${unquote(text.trim())}\n`;
  return { name: "write", args: { path, content }, intention: `write \`${path}\`` };
}

const unquote = (text: string): string => /^(["'`])([\s\S]*)\1[.!]?$/.exec(text)?.[2] ?? text;

const readCommand: Reader = (part) => {
  const found =
    match(
      part,
      String.raw`(?:run|execute)\s+(?:the\s+)?(?:shell\s+|bash\s+)?(?:command\s*)?:?\s*(?<command>.+)$`,
    ) ??
    match(part, String.raw`\$\s*(?<command>.+)$`) ??
    match(
      part,
      String.raw`(?<command>(?:ls|pwd|git|npm|node|echo|cat|grep|find|date|whoami|uname|df|wc|head|tail|sleep)(?:\s.*)?)$`,
    );
  const text = found?.groups?.["command"]?.trim() ?? "";
  const command =
    /^```\w*\n?([\s\S]*?)```/.exec(text)?.[1]?.trim() ?? /^`([^`]+)`/.exec(text)?.[1] ?? unquote(text);
  if (command === "") return null;
  return { name: "bash", args: { command }, intention: `run \`${command}\`` };
};

/** After "in": a directory's bare name, but not "this", "here" and the like. */
const directoryName = String.raw`(?<word>(?!(?:this|the|here|current|my|our|your|a|that|it|total)\b)\w[\w-]*)`;

const readList: Reader = (part) => {
  const where = String.raw`\b(?:in|of|under|inside)\s+(?:the\s+)?(?:director(?:y|ies)\s+|folders?\s+)?(?:${file}|${directoryName})`;
  const found =
    match(
      part,
      String.raw`(?:list|show|see|display|what|which|look|give)\b.*?\b(?:files|director(?:y|ies)|folders?|here)\b(?:.*?${where})?`,
    ) ?? match(part, String.raw`list\s+${file}`);
  if (found === null) return null;
  const groups = found.groups ?? {};
  const path = groups["tick"] ?? groups["quote"] ?? groups["single"] ?? groups["bare"] ?? groups["word"];
  const argument = path === undefined ? "" : ` ${shellQuote(path)}`;
  const intention = `list the files${path === undefined ? " here" : ` in \`${path}\``}`;
  return { name: "bash", args: { command: `ls -la${argument}` }, intention };
};

const shellQuote = (text: string): string =>
  /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const readFile: Reader = (part, memory) => {
  const verb = String.raw`(?:read|show|open|print|display|view|look\s+at|summari[sz]e|explain|check|what(?:'s|\s+is|\s+does)?(?:\s+in)?)\b`;
  const found =
    match(part, String.raw`${verb}.*?(?:^|[\s(])${file}`) ??
    match(part, String.raw`${verb}\s+(?:me\s+)?(?:it|that file|the file)\b`);
  if (found === null) return null;
  const path = pathIn(found.groups, memory);
  if (path === null) return null;
  const lines = /\b(?:first|top)\s+(\d+)\s+lines?\b/i.exec(part)?.[1];
  return {
    name: "read",
    args: { path, ...(lines === undefined ? {} : { limit: Number(lines) }) },
    intention: `read \`${path}\``,
  };
};

const readers: readonly Reader[] = [readEdit, readWrite, readCommandFirst, readList, readFile, readCommand];

/** "run …" and "$ …" are meant literally, whatever the command looks like. */
function readCommandFirst(part: string, memory: Memory): PlannedCall | null {
  return /^(?:please\s+|now\s+|can you\s+|could you\s+)*(?:run|execute|\$)/i.test(part)
    ? readCommand(part, memory)
    : null;
}
