// What a worker sees of the environment: five harmless variables and what its profile lists.
import { delimiter, isAbsolute } from "node:path";

const always = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/** What the built-in worker may have: the providers it knows, where they are, and how to reach them. */
export const builtinVariables = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_BASE_URL",
  "DEEPSEEK_BASE_URL",
  "GOOGLE_BASE_URL",
  "OPENAI_COMPATIBLE_BASE_URL",
  "OPENAI_COMPATIBLE_API_KEY",
  "OPENAI_COMPATIBLE_MODELS",
  "OLLAMA_HOST",
  "ZOT_HOME",
  "NODE_EXTRA_CA_CERTS",
  "LC_ALL",
  "USER",
  "SHELL",
  // Meant for the MCP servers it starts: their config files may refer to them.
  "MCP_*",
];

type Environment = Readonly<Record<string, string | undefined>>;

export function workerEnvironment(from: Environment, allowed: readonly string[]): Record<string, string> {
  const entries = [...always, ...allowed].flatMap((name) => namesLike(name, from));
  return Object.fromEntries(
    entries.flatMap((name) => {
      const value = name === "PATH" ? absoluteOnly(from[name]) : from[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A relative entry would be looked up in the session's directory, and what an agent has put there would be run. */
const absoluteOnly = (path: string | undefined): string | undefined =>
  path?.split(delimiter).filter(isAbsolute).join(delimiter);

/** What a process may have in its environment, where every process of the same user can read it. */
const harmless: ReadonlySet<string> = new Set([
  ...always,
  "NODE_EXTRA_CA_CERTS",
  "LC_ALL",
  "USER",
  "SHELL",
  "XDG_STATE_HOME",
]);

type Variables = Readonly<Record<string, string>>;

/** What goes into the environment, and what is handed over where only the worker reads it. */
export function splitEnvironment(all: Variables): { plain: Variables; secret: Variables } {
  const entries = Object.entries(all);
  return {
    plain: Object.fromEntries(entries.filter(([name]) => harmless.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => !harmless.has(name))),
  };
}

/** `MCP_*` stands for all that begin so. */
const namesLike = (name: string, from: Environment): string[] =>
  name.endsWith("*") ? Object.keys(from).filter((other) => other.startsWith(name.slice(0, -1))) : [name];

/** A variable or a flag of such a name holds what must never be shown. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;

/** The values in an environment, and in a command's arguments (`--api-key X`, `--api-key=X`), that must never be shown. */
export function secretsIn(
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    secretName.test(name) && value !== "" ? [value] : [],
  );
  const flags = command.flatMap((word, index) => {
    const [name = "", value = command[index + 1] ?? ""] = word.startsWith("-") ? word.split(/=(.*)/s, 2) : [];
    return secretName.test(name) && value !== "" ? [value] : [];
  });
  return [...variables, ...flags];
}
