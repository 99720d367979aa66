// The environment of a worker: five harmless variables and those that its profile lists.
import { delimiter, isAbsolute } from "node:path";

const always = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/** The variables of the built-in worker: keys and addresses of the providers it knows. */
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

/** What any program of a provider may need: certificates, and the proxy, whose variables are read in both spellings. */
export const commonVariables = [
  "LC_ALL",
  "USER",
  "SHELL",
  "NODE_EXTRA_CA_CERTS",
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
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

/** A relative entry would be resolved in the session's directory, where an agent can put programs. */
const absoluteOnly = (path: string | undefined): string | undefined =>
  path?.split(delimiter).filter(isAbsolute).join(delimiter);

/** Variables that may be in a process's environment, which every process of the same user can read. */
const harmless: ReadonlySet<string> = new Set([
  ...always,
  "NODE_EXTRA_CA_CERTS",
  "LC_ALL",
  "USER",
  "SHELL",
  "XDG_STATE_HOME",
]);

type Variables = Readonly<Record<string, string>>;

/** Splits variables into those for the environment and those for the secrets pipe, which only the worker reads. */
export function splitEnvironment(all: Variables): { plain: Variables; secret: Variables } {
  const entries = Object.entries(all);
  return {
    plain: Object.fromEntries(entries.filter(([name]) => harmless.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => !harmless.has(name))),
  };
}

/** `MCP_*` stands for all names with that prefix. */
const namesLike = (name: string, from: Environment): string[] =>
  name.endsWith("*") ? Object.keys(from).filter((other) => other.startsWith(name.slice(0, -1))) : [name];

/** Values of variables and flags with such a name must never be shown. */
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
