// patchbay.config.json: its schema, its limits, and errors that name the place in the file.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { ApprovalMode, Discounts, DisplayCurrency, explain, JailMode, NewBudget } from "@patchbay/protocol";
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
import { isTimeZone } from "../store/time-zone.ts";
import { AccessLimits } from "./access-limits.ts";
import { AlertSettings, ReportSettings } from "./alert-settings.ts";
import { usualEvents, webhookEvents } from "./integrations-config.ts";
import { NetworkLimits } from "./network-limits.ts";

const Millis = z.number().check(z.int(), z.positive());
const Bytes = z.number().check(z.int(), z.positive());

/** Every limit of the server, with the reason for its default. */
export const Limits = z.strictObject({
  /** A worker must send its hello within this time. pi and omp, the slowest known, take 10 s on a busy machine. */
  worker_start_ms: z._default(Millis, 30_000),
  /** A worker that is idle for this long is stopped, if its conversation can be restored later. */
  worker_idle_ms: z._default(Millis, 30 * 60_000),
  /** Workers at the same time. Each costs 50 to 300 MB. */
  workers: z._default(z.number().check(z.int(), z.positive()), 32),
  /** One person must not use up all workers. Absent: no limit per person. */
  workers_per_person: z.optional(z.number().check(z.int(), z.positive())),
  /** Built-in workers started ahead. */
  worker_pool: z._default(z.number().check(z.int(), z.nonnegative()), 1),
  /** The wait between the steps of ending a worker: close stdin, TERM, KILL. Two waits fit in a 10 s stop. */
  worker_stop_ms: z._default(Millis, 2_500),
  /** If a turn is still running this long after its abort, its worker is ended. zot takes 3 s to kill a command, zeroclaw 5 s. */
  worker_abort_ms: z._default(Millis, 20_000),
  /** Models answer within this time, or are retried by the agent, which most do silently. */
  turn_silence_ms: z._default(Millis, 30_000),
  /** One line of a worker: a tool result with two large images. Reading a longer one would block all sessions. */
  worker_line_bytes: z._default(Bytes, 16 * 1024 * 1024),
  /** One line of a viewer: the limit of zot. A prompt with images must fit. */
  viewer_line_bytes: z._default(Bytes, 16 * 1024 * 1024),
  /** When this much is unsent, the server stops pushing frames to the viewer and lets it read from the log at its own pace. */
  viewer_buffer_bytes: z._default(Bytes, 4 * 1024 * 1024),
  /** The server closes the socket of a viewer that reads nothing for this long (4408). */
  viewer_stall_ms: z._default(Millis, 30_000),
  /** Output of a worker that is not in the log yet. Beyond this, the server stops reading from the worker. */
  unwritten_bytes: z._default(Bytes, 1024 * 1024),
  /** A segment of the log is closed at the end of the turn in which it exceeds this size. The last full one stays for replay. */
  replay_bytes: z._default(Bytes, 8 * 1024 * 1024),
  /** Attaches of one login (with the token: of one address) to one session per minute: a page that reconnects in a loop must not load the server. */
  attaches_per_minute: z._default(z.number().check(z.int(), z.positive()), 600),
  /** The time of one git process. Listing a repository of a million files on a cold disk takes half of it. */
  git_ms: z._default(Millis, 30_000),
  /** Prompts waiting in one session. */
  queue_items: z._default(z.number().check(z.int(), z.positive()), 100),
  /** The size of all their texts and images, which are in memory: two lines of a viewer. */
  queue_bytes: z._default(Bytes, 32 * 1024 * 1024),
  /** Event streams, and calls that wait for a turn, at the same time. A stream that is not read costs up to `viewer_buffer_bytes`. */
  open_calls: z._default(z.number().check(z.int(), z.positive()), 256),
  ...AccessLimits.shape,
  ...NetworkLimits.shape,
});
export type Limits = z.infer<typeof Limits>;

const VariableName = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, "expected the name of a variable, without its value"));

const Place = z.string().check(z.regex(/^(\/|~\/)/, "expected an absolute path, or one that begins with ~/"));

const WorkerProfile = z.strictObject({
  /** The worker's protocol. Absent: that of the program with this name, else zot rpc. */
  dialect: z.optional(z.enum(dialectNames)),
  command: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** The socket of a running daemon, instead of a command. */
  socket: z.optional(z.string().check(z.minLength(1))),
  /** Appended to the command. */
  arguments: z.optional(z.array(z.string())),
  /** Variables passed on beyond PATH HOME LANG TERM TMPDIR. */
  env: z.optional(z.array(VariableName)),
  /** Whether the worker runs in bubblewrap. Not for the built-in agent, which has its own jail. */
  sandbox: z.optional(z.enum(["off", "on"])),
  /** The worker's own directories, writable in the sandbox. The session's directory is always writable. */
  writable: z.optional(z.array(Place)),
  /** The model, or the daemon's agent, of a new session for which no other is chosen. */
  model: z.optional(z.string().check(z.minLength(1))),
  /** The models to choose from for a new session: `provider/model`, or a model. */
  models: z.optional(z.array(z.string().check(z.minLength(1)))),
});
export type WorkerProfile = z.infer<typeof WorkerProfile>;

/** Settings of the built-in agent in new sessions. */
const AgentDefaults = z.strictObject({
  approvals: z.optional(ApprovalMode),
  /** Applies to every start of a worker, not only to new sessions. */
  jail: z.optional(JailMode),
  /** Whether commands in the jail have network access. */
  jail_network: z.optional(z.boolean()),
});
export type AgentDefaults = z.infer<typeof AgentDefaults>;

/** Paths that every sandbox has besides the session's directory and the tool chains. */
const SandboxPlaces = z.strictObject({
  readable: z._default(z.array(Place), []),
  writable: z._default(z.array(Place), []),
});
export type SandboxPlaces = z.infer<typeof SandboxPlaces>;

/** Prices of calls whose worker reports no cost. */
const PriceSettings = z.strictObject({
  /** A catalog that replaces the shipped one: a file, or an http(s) address. */
  source: z.optional(z.string().check(z.minLength(1))),
  /** How often the catalog is refreshed. */
  refresh_hours: z._default(z.number().check(z.minimum(0.1), z.maximum(24 * 14)), 24),
  overrides: z._default(Overrides, {}),
  /** What was negotiated with providers. */
  discounts: z._default(Discounts, []),
});

/** What is announced about spending. */
const CostSettings = z.strictObject({
  /** Of the days and months of alerts and reports. */
  time_zone: z._default(
    z.string().check(z.maxLength(100), z.refine(isTimeZone, "expected a time zone, such as Europe/Berlin")),
    "UTC",
  ),
  alerts: z._default(AlertSettings, AlertSettings.parse({})),
  /** In which amounts are shown. Absent: as set on the page, else dollars. */
  currency: z.optional(DisplayCurrency),
  /** Absent: no report is sent. */
  report: z.optional(ReportSettings),
});

/** Who did what, on a server with people. */
const AuditSettings = z.strictObject({
  /** Older entries are removed. Absent: none are. */
  retention_days: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(36_500))),
  /** Whether entries have prompts and commands as they were written, or their hash and length. */
  prompts: z._default(z.enum(["hash", "text"]), "hash"),
});

/** A receiver of events. They are signed with a secret that is not in this file. */
const Webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  secret_env: z.optional(VariableName),
  secret_file: z.optional(z.string().check(z.minLength(1))),
  events: z._default(z.array(z.enum(webhookEvents)).check(z.minLength(1)), [...usualEvents]),
});

const FilePath = z.string().check(z.minLength(1));

const AddressRange = z
  .string()
  .check(z.refine(isAddressRange, 'expected an address like "127.0.0.1" or a range like "10.0.0.0/8"'));

/** A name identifies a budget of the config file. */
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
  /** The server itself serves https with this certificate. */
  tls: z.optional(z.strictObject({ cert: FilePath, key: FilePath })),
  insecure_network: z._default(z.boolean(), false),
  /** The enabled shortcuts past documented interfaces of Node and ws; see fast-io/. */
  fast_io: z._default(z.union([z.boolean(), z.array(z.enum(fastIoParts))]), true),
  limits: z._default(Limits, Limits.parse({})),
  webhooks: z._default(z.array(Webhook), []),
  /** Used if OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
  otlp_endpoint: z.optional(z.url({ protocol: /^https?$/ })),
  prices: z._default(PriceSettings, PriceSettings.parse({})),
  audit: z._default(AuditSettings, AuditSettings.parse({})),
  costs: z._default(CostSettings, CostSettings.parse({})),
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
    const problem = mistake === undefined ? "it is empty" : describeCode(printParseErrorCode(mistake.error));
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

/** Returns the node of the mistake; for an unknown key, the key itself. */
function nodeOf(tree: Node, issue: z.core.$ZodIssue | undefined): Node | undefined {
  const path = pathOf(issue?.path ?? []);
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  if (unknown === undefined) return findNodeAtLocation(tree, path);
  return findNodeAtLocation(tree, [...path, unknown])?.parent;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** `ValueExpected` → `value expected`. */
const describeCode = (code: string): string =>
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
