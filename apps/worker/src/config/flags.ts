// The command line, with zot's flags. A mistake is an OptionsError: one sentence on stderr, exit code 1.
import { parseArgs } from "node:util";

/** What keeps the worker from starting, as a sentence for a person. */
export class OptionsError extends Error {}

const toolNames = ["read", "write", "edit", "bash", "grep", "find", "ls"] as const;
export type ToolName = (typeof toolNames)[number];

const jailModes = ["off", "on", "enforced"] as const;
const approvalModes = ["ask", "auto-edit", "full"] as const;

const reasoningLevels = ["low", "medium", "high"] as const;
type Reasoning = (typeof reasoningLevels)[number];

export interface Flags {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly cwd: string;
  /** Patchbay's home directory: global extensions and skills, logs, trusted directories. */
  readonly home: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: readonly string[];
  readonly reasoning: Reasoning | undefined;
  readonly maxSteps: number | undefined;
  readonly tools: readonly ToolName[];
  /** The initial approval mode. */
  readonly approvals: (typeof approvalModes)[number];
  readonly jail: (typeof jailModes)[number];
  /** Whether commands in the jail reach the network. */
  readonly jailNetwork: boolean;
  /** What the server knows of the sandbox: JSON, read when it is needed. */
  readonly sandbox: string | undefined;
  readonly skills: boolean;
  /** What happens to accepted work when stdin closes. finish: as in zot, it is done. abort: it ends. */
  readonly onEof: "finish" | "abort";
  /** Started ahead of its session: a `begin` command sets the working directory. */
  readonly awaitBegin: boolean;
  /** Report the usage of a running call, so that a crash does not hide it. */
  readonly reportUsage: boolean;
  /** An inherited descriptor from which keys are read, instead of from the environment. */
  readonly secretsFd: number | undefined;
  /** Directories of extensions, which take precedence over all that are found. */
  readonly ext: readonly string[];
  /** No extensions but those. */
  readonly noExt: boolean;
  /** The working directory may start its own extensions and MCP servers without asking. */
  readonly trustProject: boolean;
  readonly action: "serve" | "list-models" | "version" | "help";
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export function readFlags(argv: readonly string[]): Flags {
  const args = argv[0] === "rpc" ? argv.slice(1) : [...argv];
  const { values } = parse(args);
  return {
    provider: values.provider,
    model: values.model,
    cwd: values.cwd ?? process.cwd(),
    home: values.home,
    baseUrl: values["base-url"],
    apiKey: values["api-key"],
    systemPrompt: values["system-prompt"],
    appendSystemPrompt: values["append-system-prompt"] ?? [],
    reasoning: oneOf("--reasoning", values.reasoning, reasoningLevels),
    maxSteps: maxSteps(values["max-steps"]),
    approvals: oneOf("--approvals", values.approvals, approvalModes) ?? "full",
    jail: oneOf("--jail", values.jail, jailModes) ?? "off",
    jailNetwork: oneOf("--jail-network", values["jail-network"], ["on", "off"] as const) !== "off",
    sandbox: values.sandbox,
    tools: tools(values.tools, values["no-tools"] ?? false),
    skills: !(values["no-skills"] ?? values["no-skill"] ?? false),
    onEof: oneOf("--on-eof", values["on-eof"], ["finish", "abort"] as const) ?? "finish",
    awaitBegin: values["await-begin"] ?? false,
    reportUsage: values["tell-usage"] ?? false,
    secretsFd: descriptor(values["secrets-fd"]),
    ext: values.ext ?? [],
    noExt: (values["no-ext"] || values["no-extensions"]) ?? false,
    trustProject: values["trust-project"] ?? false,
    action: values.help
      ? "help"
      : values.version
        ? "version"
        : values["list-models"]
          ? "list-models"
          : "serve",
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: false,
      options: {
        provider: text,
        model: text,
        cwd: text,
        home: text,
        "base-url": text,
        "api-key": text,
        "system-prompt": text,
        "append-system-prompt": { type: "string", multiple: true },
        reasoning: text,
        "max-steps": text,
        tools: text,
        approvals: text,
        jail: text,
        "jail-network": text,
        sandbox: text,
        "no-tools": flag,
        "no-skill": flag,
        "no-skills": flag,
        // zot looks for skills only with this flag; here it changes nothing.
        "with-skill": flag,
        "with-skills": flag,
        "on-eof": text,
        "await-begin": flag,
        "tell-usage": flag,
        "secrets-fd": text,
        ext: { type: "string", short: "e", multiple: true },
        "no-ext": flag,
        "no-extensions": flag,
        "trust-project": flag,
        "list-models": flag,
        version: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new OptionsError(`${name} must be one of ${allowed.join(", ")}, not "${value}"`);
  return found;
}

function maxSteps(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const steps = Number(value);
  if (!Number.isInteger(steps) || steps < 1) {
    throw new OptionsError(`--max-steps must be a whole number above 0, not "${value}"`);
  }
  return steps;
}

function descriptor(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number > 2) return number;
  throw new OptionsError(`--secrets-fd must be a number above 2, not "${value}"`);
}

function tools(list: string | undefined, none: boolean): ToolName[] {
  if (none) return [];
  if (list === undefined) return [...toolNames];
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .flatMap((name) => oneOf("--tools", name, toolNames) ?? []);
}

export const usage = `Patchbay's built-in agent: a coding agent that speaks zot rpc on stdin and stdout.

  --provider NAME   anthropic, openai, google, deepseek, openai-compatible, ollama or demo
  --model ID        a model of that provider, or provider/model
  --cwd DIR         directory to work in (default: the current directory)
  --home DIR        data that is shared by sessions (default: $PATCHBAY_HOME, else ~/.patchbay)
  --base-url URL    base URL of the provider; without --provider: of an OpenAI-compatible server
  --api-key KEY     API key of the provider (prefer its environment variable)
  --system-prompt TEXT, --append-system-prompt TEXT (repeatable)
  --reasoning low|medium|high
  --max-steps N     model calls per prompt
  --tools a,b       of ${toolNames.join(", ")}; --no-tools for none
  --no-skills       do not load skills (zot's --with-skills is accepted and ignored)
  --approvals ask|auto-edit|full   when to ask for approval (default: full, never)
  --jail off|on|enforced   limit tools to the working directory and /tmp (default: off)
  --jail-network on|off    allow network access in the jail (default: on)
  --sandbox JSON    what the server found out about bubblewrap (default: detected)
  --on-eof finish|abort   what happens to running work when stdin closes (default: finish)
  --await-begin     wait for a begin command with the session's directory
  --tell-usage      announce each model call, and write usage_so_far as soon as a provider reports its usage
  -e, --ext DIR     load the extension in this directory (repeatable); --no-ext: load no others
  --trust-project   allow extensions and MCP servers of the working directory without asking
  --secrets-fd N    read keys from this inherited descriptor, a JSON object of variables, and close it
  --list-models     print the available models as one line of JSON, and exit
  --version, --help
`;
