// patchbay.config.json: its schema, its limits, and errors that name the place in the file.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { ApprovalMode, explain, JailMode, NewBudget } from "@patchbay/protocol";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import * as z from "zod/mini";
import { Overrides } from "../costs/prices/overrides.ts";
import { errorCode } from "../diagnostics/error-code.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { fastIoParts } from "../fast-io/fast-io.ts";
import { dialectNames } from "../machine/dialects/dialect.ts";
import { AccessLimits } from "./access-limits.ts";
import { webhookEvents } from "./integrations-config.ts";
import { NetworkLimits } from "./network-limits.ts";

const Millis = z.number().check(z.int(), z.positive());
const Bytes = z.number().check(z.int(), z.positive());

/** Every bound the server keeps, with the reason for its default. */
export const Limits = z.strictObject({
  /** A worker says hello within this, or it is not one. pi and omp, the slowest known, take 10 s on a busy machine. */
  worker_start_ms: z._default(Millis, 30_000),
  /** A worker without anything to do for this long is stopped, if it can be given its memory back. */
  worker_idle_ms: z._default(Millis, 30 * 60_000),
  /** Workers at the same time. Each costs 50 to 300 MB. */
  workers: z._default(z.number().check(z.int(), z.positive()), 32),
  /** One person must not keep everybody else from working. Absent: as many as there may be. */
  workers_per_person: z.optional(z.number().check(z.int(), z.positive())),
  /** Built-in workers started ahead. */
  worker_pool: z._default(z.number().check(z.int(), z.nonnegative()), 1),
  /** Between the steps of the termination ladder: close stdin, TERM, KILL. Two waits fit in a 10 s stop. */
  worker_stop_ms: z._default(Millis, 2_500),
  /** A turn that goes on for this long after it was stopped ends with its worker. zot takes 3 s to kill a command, zeroclaw 5 s. */
  worker_abort_ms: z._default(Millis, 20_000),
  /** One line of a worker: a tool result with two large images. Reading a longer one would keep everybody waiting. */
  worker_line_bytes: z._default(Bytes, 16 * 1024 * 1024),
  /** One line of a viewer: zot's own limit, which a prompt with images must fit. */
  viewer_line_bytes: z._default(Bytes, 16 * 1024 * 1024),
  /** A viewer with this much unsent is no longer pushed to, but reads from the log at its own pace. */
  viewer_buffer_bytes: z._default(Bytes, 4 * 1024 * 1024),
  /** A viewer that takes nothing at all for this long is let go with 4408. */
  viewer_stall_ms: z._default(Millis, 30_000),
  /** What a worker has written and the log has not: beyond this, the worker has to wait. */
  unwritten_bytes: z._default(Bytes, 1024 * 1024),
  /** A log's segment is closed at the end of the turn in which it grows beyond this; the last full one stays for replay. */
  replay_bytes: z._default(Bytes, 8 * 1024 * 1024),
  /** Attaches of one login (with the token: of one address) to one session per minute: a page that reconnects in a loop must not keep the server busy. */
  attaches_per_minute: z._default(z.number().check(z.int(), z.positive()), 600),
  /** One git process of the server. Listing a repository of a million files on a cold disk takes half of it. */
  git_ms: z._default(Millis, 30_000),
  /** Prompts waiting in one session. */
  queue_items: z._default(z.number().check(z.int(), z.positive()), 100),
  /** Their texts and images together: they are kept in memory. One line of a viewer, twice. */
  queue_bytes: z._default(Bytes, 32 * 1024 * 1024),
  ...AccessLimits.shape,
  ...NetworkLimits.shape,
});
export type Limits = z.infer<typeof Limits>;

const VariableName = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, "expected the name of a variable, without its value"));

const Place = z.string().check(z.regex(/^(\/|~\/)/, "expected an absolute path, or one that begins with ~/"));

const WorkerProfile = z.strictObject({
  /** Which protocol it speaks; the one of the program of that name, else zot rpc. */
  dialect: z.optional(z.enum(dialectNames)),
  command: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** Where a daemon listens that runs anyway; instead of a command. */
  socket: z.optional(z.string().check(z.minLength(1))),
  /** Added to the command. */
  arguments: z.optional(z.array(z.string())),
  /** Variables passed on beyond PATH HOME LANG TERM TMPDIR. */
  env: z.optional(z.array(VariableName)),
  /** Whether it is started inside bubblewrap; not for the built-in agent, which has a jail of its own. */
  sandbox: z.optional(z.enum(["off", "on"])),
  /** In the sandbox, the directories that it keeps its own files in; the session's is writable anyway. */
  writable: z.optional(z.array(Place)),
  /** What a person may choose from when a session is made: `provider/model`, or a model. */
  models: z.optional(z.array(z.string().check(z.minLength(1)))),
});
export type WorkerProfile = z.infer<typeof WorkerProfile>;

/** How the built-in agent of a new session is set. */
const AgentDefaults = z.strictObject({
  approvals: z.optional(ApprovalMode),
  /** Not only of new sessions: a worker that starts again is in it too. */
  jail: z.optional(JailMode),
  /** Whether commands in the jail reach the network. */
  jail_network: z.optional(z.boolean()),
});
export type AgentDefaults = z.infer<typeof AgentDefaults>;

/** What every sandbox has beside the session's directory and the tool chains: the built-in agent's and others'. */
const SandboxPlaces = z.strictObject({
  readable: z._default(z.array(Place), []),
  writable: z._default(z.array(Place), []),
});
export type SandboxPlaces = z.infer<typeof SandboxPlaces>;

/** What model calls cost, where the worker does not say. */
const PriceSettings = z.strictObject({
  /** A catalog to use instead of the shipped one: a file, or an http(s) address. */
  source: z.optional(z.string().check(z.minLength(1))),
  /** How often it is looked at again. */
  refresh_hours: z._default(z.number().check(z.minimum(0.1), z.maximum(24 * 14)), 24),
  overrides: z._default(Overrides, {}),
});

/** Where events are sent, signed with a secret that is not in this file. */
const Webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  secret_env: z.optional(VariableName),
  secret_file: z.optional(z.string().check(z.minLength(1))),
  events: z._default(z.array(z.enum(webhookEvents)).check(z.minLength(1)), [...webhookEvents]),
});

const FilePath = z.string().check(z.minLength(1));

const AddressRange = z
  .string()
  .check(z.refine(isAddressRange, 'expected an address like "127.0.0.1" or a range like "10.0.0.0/8"'));

/** A budget of the file is known by its name. */
const haveNames = (budgets: { name: string }[]): boolean =>
  new Set(budgets.map(({ name }) => name)).size === budgets.length;

const ConfigFile = z.strictObject({
  default_worker: z.optional(z.string()),
  workers: z._default(z.record(z.string(), WorkerProfile), {}),
  agent: z._default(AgentDefaults, {}),
  sandbox: z._default(SandboxPlaces, SandboxPlaces.parse({})),
  directories: z.optional(z.array(z.string())),
  host: z.optional(z.string()),
  port: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(65535))),
  allowed_hosts: z.optional(z.array(z.string())),
  base_path: z.optional(
    z
      .string()
      .check(
        z.regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'expected a path like "/patchbay", without a slash at its end'),
      ),
  ),
  trust_proxy: z._default(
    z.union([z.boolean(), z.array(AddressRange).check(z.minLength(1, "expected at least one address"))]),
    false,
  ),
  /** Served as https by ourselves. */
  tls: z.optional(z.strictObject({ cert: FilePath, key: FilePath })),
  insecure_network: z._default(z.boolean(), false),
  /** Which shortcuts past documented interfaces of Node and ws are taken; see fast-io/. */
  fast_io: z._default(z.union([z.boolean(), z.array(z.enum(fastIoParts))]), true),
  limits: z._default(Limits, Limits.parse({})),
  webhooks: z._default(z.array(Webhook), []),
  /** Instead of OTEL_EXPORTER_OTLP_ENDPOINT. */
  otlp_endpoint: z.optional(z.url({ protocol: /^https?$/ })),
  prices: z._default(PriceSettings, PriceSettings.parse({})),
  budgets: z._default(z.array(NewBudget).check(z.refine(haveNames, "two budgets have the same name")), []),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

export function readConfigFile(path: string, { required }: { required: boolean }): ConfigFile {
  const text = readText(path, required);
  if (text === undefined) return ConfigFile.parse({});
  const mistakes: ParseError[] = [];
  const tree = parseTree(text, mistakes);
  const mistake = mistakes[0];
  if (mistake !== undefined || tree === undefined) {
    const problem = mistake === undefined ? "it is empty" : words(printParseErrorCode(mistake.error));
    throw new StartError(`${path}, line ${lineAt(text, mistake?.offset ?? 0)}: not valid JSON: ${problem}.`);
  }
  const read = ConfigFile.safeParse(getNodeValue(tree));
  if (read.success) return read.data;
  const where = nodeOf(tree, read.error.issues[0]);
  const line = where === undefined ? "" : `, line ${lineAt(text, where.offset)}`;
  throw new StartError(`${path}${line}: ${explain(read.error)}. docs/operations.md lists every key.`);
}

function readText(path: string, required: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (!required && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    throw new StartError(
      `Cannot read the config file ${path} (${code}). Check the path given with --config.`,
    );
  }
}

/** What the mistake is in; of a key that nobody knows, the key itself. */
function nodeOf(tree: Node, issue: z.core.$ZodIssue | undefined): Node | undefined {
  const path = pathOf(issue?.path ?? []);
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  if (unknown === undefined) return findNodeAtLocation(tree, path);
  return findNodeAtLocation(tree, [...path, unknown])?.parent;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** `ValueExpected` → `value expected`. */
const words = (code: string): string =>
  code.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

const pathOf = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((key) => (typeof key === "number" ? key : String(key)));

/** Whether the text is an address, or a range in CIDR notation. */
function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32));
}
