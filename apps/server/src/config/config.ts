// Settings: flag beats environment beats config file beats default. The only module that reads the environment, so that one place
// decides which variables a worker gets.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../diagnostics/start-error.ts";
import { type FastIoPart, fastIoParts } from "../fast-io/fast-io.ts";
import { type ConfigFile, type Limits, readConfigFile } from "./config-file.ts";
import type { OtlpTarget, Webhook } from "./integrations-config.ts";
import { readOtlp, readWebhooks } from "./integrations-config.ts";

export interface Config {
  host: string;
  port: number;
  home: string;
  /** The path of the config file, which may not exist. */
  configPath: string;
  /** The directory in which Patchbay was started: the default directory of a session. */
  cwd: string;
  token: string | undefined;
  open: boolean;
  /** End when the last program has left the local socket. */
  ephemeral: boolean;
  defaultWorker: string;
  workers: ConfigFile["workers"];
  /** Settings of the built-in agent in new sessions. */
  agent: ConfigFile["agent"];
  /** Absolute paths that every sandbox has besides the session's directory. */
  sandbox: ConfigFile["sandbox"];
  /** A session's directory must be inside one of these. */
  directories: string[];
  /** Host names of this server, besides those of loopback. */
  allowedHosts: string[];
  /** The path of this server behind a reverse proxy: `/patchbay`, or empty. */
  basePath: string;
  /** The trusted senders of `X-Forwarded-*` headers: true for any peer, or addresses and ranges. */
  trustProxy: boolean | readonly string[];
  /** The files of the certificate and its key; undefined: plain http. */
  tls: { cert: string; key: string } | undefined;
  /** The operator has accepted plain http beyond this machine. */
  insecureNetwork: boolean;
  /** The enabled shortcuts past documented interfaces of Node and ws; see fast-io/. */
  fastIo: readonly FastIoPart[];
  limits: Limits;
  prices: ConfigFile["prices"];
  audit: ConfigFile["audit"];
  costs: ConfigFile["costs"];
  webhooks: Webhook[];
  /** The receiver of spans; undefined: none. */
  otlp: OtlpTarget | undefined;
  budgets: ConfigFile["budgets"];
  /** The environment of the server. A worker gets only selected variables of it. */
  environment: Readonly<Record<string, string | undefined>>;
}

export function readConfig(argv: string[], env: NodeJS.ProcessEnv = process.env): Config {
  const flags = readFlags(argv);
  const userHome = env["HOME"] ?? homedir();
  const expand = (path: string) => expandHome(path, userHome);
  const home = resolve(expand(flags.home ?? env["PATCHBAY_HOME"] ?? join(userHome, ".patchbay")));
  const named = flags.config ?? env["PATCHBAY_CONFIG"];
  const configPath = named === undefined ? join(home, "patchbay.config.json") : resolve(expand(named));
  const file = readConfigFile(configPath, { required: named !== undefined });
  const cwd = env["INIT_CWD"] ?? process.cwd();
  return {
    host: flags.host ?? env["PATCHBAY_HOST"] ?? file.host ?? "127.0.0.1",
    port: readPort(flags.port ?? env["PATCHBAY_PORT"]) ?? file.port ?? 7171,
    home,
    configPath,
    cwd,
    token: nonEmpty(env["PATCHBAY_TOKEN"]?.trim()),
    ephemeral: flags.ephemeral,
    open: flags.open && !isSet(env["CI"]) && hasDesktop(env),
    defaultWorker: file.default_worker ?? "builtin",
    workers: Object.fromEntries(
      Object.entries(file.workers).map(([name, { socket, ...profile }]) => [
        name,
        socket === undefined ? profile : { ...profile, socket: resolve(expand(socket)) },
      ]),
    ),
    agent: file.agent,
    sandbox: {
      readable: file.sandbox.readable.map((path) => resolve(expand(path))),
      writable: file.sandbox.writable.map((path) => resolve(expand(path))),
    },
    directories: (file.directories ?? [userHome, cwd]).map((path) => resolve(expand(path))),
    allowedHosts: file.allowed_hosts ?? [],
    basePath: file.base_path ?? "",
    trustProxy: file.trust_proxy,
    tls: readTls(flags, file.tls, expand),
    insecureNetwork: flags["insecure-network"] ?? file.insecure_network,
    fastIo: readFastIo(env["PATCHBAY_FAST_IO"], file.fast_io),
    limits: file.limits,
    webhooks: readWebhooks(file.webhooks, env, expand),
    otlp: readOtlp(file.otlp_endpoint, env),
    budgets: file.budgets.map((budget) =>
      budget.scope === "project" && budget.target !== null
        ? { ...budget, target: resolve(expand(budget.target)) }
        : budget,
    ),
    audit: file.audit,
    costs: readCosts(file),
    prices: { ...file.prices, source: sourceOf(file.prices.source, expand) },
    environment: env,
  };
}

function readCosts({ costs, webhooks }: ConfigFile): Config["costs"] {
  if (costs.report !== undefined && !webhooks.some(({ events }) => events.includes("cost.report")))
    throw new StartError(
      'costs.report in patchbay.config.json needs a receiver: add a webhook with the event "cost.report".',
    );
  return costs;
}

/** Returns the absolute path of a file. An http(s) address is unchanged. */
const sourceOf = (source: string | undefined, expand: (path: string) => string): string | undefined =>
  source === undefined || /^https?:/.test(source) ? source : resolve(expand(source));

function readFlags(argv: string[]) {
  try {
    const daemon = argv[0] === "daemon";
    const { values } = parseArgs({
      args: daemon ? argv.slice(1) : argv,
      options: {
        host: { type: "string" },
        port: { type: "string" },
        home: { type: "string" },
        config: { type: "string" },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
        "insecure-network": { type: "boolean" },
        "no-open": { type: "boolean" },
        ...(daemon ? { ephemeral: { type: "boolean" as const } } : {}),
      },
    });
    const ephemeral = "ephemeral" in values && values["ephemeral"] === true;
    return { ...values, ephemeral, open: !daemon && values["no-open"] !== true };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new StartError(`${problem}. Run "patchbay --help" (or "npm start -- --help") to see the options.`);
  }
}

function readFastIo(variable: string | undefined, file: ConfigFile["fast_io"]): readonly FastIoPart[] {
  if (variable === undefined || variable === "")
    return typeof file === "boolean" ? (file ? fastIoParts : []) : file;
  if (variable === "on") return fastIoParts;
  if (variable === "off") return [];
  const names = variable.split(",");
  const unknown = names.find((name) => !fastIoParts.some((part) => part === name));
  if (unknown !== undefined)
    throw new StartError(
      `PATCHBAY_FAST_IO: "${unknown}" is not valid. Use on, off, or a comma-separated list of ${fastIoParts.join(", ")}.`,
    );
  return fastIoParts.filter((part) => names.includes(part));
}

function readTls(
  flags: { "tls-cert"?: string; "tls-key"?: string },
  file: ConfigFile["tls"],
  expand: (path: string) => string,
): Config["tls"] {
  const cert = flags["tls-cert"] ?? file?.cert;
  const key = flags["tls-key"] ?? file?.key;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new StartError("TLS needs two files: --tls-cert and --tls-key.");
  return { cert: resolve(expand(cert)), key: resolve(expand(key)) };
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new StartError(`The port must be a number from 0 to 65535 (0 picks a free one), not "${text}".`);
}

export function expandHome(path: string, userHome: string = homedir()): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : path;
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text);
const isSet = (text: string | undefined) =>
  text !== undefined && text !== "" && text !== "0" && text !== "false";

function hasDesktop(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === "darwin" || process.platform === "win32") return !isSet(env["SSH_CONNECTION"]);
  return isSet(env["DISPLAY"]) || isSet(env["WAYLAND_DISPLAY"]);
}
