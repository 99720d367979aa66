// The composition root: the core of the server, and the features that are added to it. The only module that sees everything.
import helmet from "@fastify/helmet";
import { findSandbox } from "@patchbay/sandbox";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Access } from "./access/access.ts";
import { Accounts } from "./access/accounts/accounts.ts";
import { Guesses } from "./access/accounts/guesses.ts";
import { KnownDevices } from "./access/accounts/known-device.ts";
import { PersonCredentials } from "./access/accounts/person-credentials.ts";
import { SecondFactors } from "./access/accounts/second-factors.ts";
import { withoutBase } from "./access/base-path.ts";
import { type GuardedRoute, guard } from "./access/guard.ts";
import { HostCheck } from "./access/host-check.ts";
import { Logins } from "./access/logins.ts";
import { Connections } from "./access/network/connections.ts";
import { proxiesOf } from "./access/network/proxies.ts";
import { WebServer } from "./access/network/web-server.ts";
import { keptOwner, People } from "./access/people.ts";
import { PersonalTokens } from "./access/personal-tokens.ts";
import { may } from "./access/policy.ts";
import { Rights } from "./access/rights.ts";
import type { Config } from "./config/config.ts";
import { Announcements } from "./costs/announcements.ts";
import { Budgets } from "./costs/budgets/budgets.ts";
import { PlanLimits } from "./costs/plans/plan-limits.ts";
import { Catalog } from "./costs/prices/catalog.ts";
import { Prices } from "./costs/prices/prices.ts";
import { useFastIo } from "./fast-io/fast-io.ts";
import { allFeatures } from "./features/all-features.ts";
import type { Core, Feature, StartedFeature } from "./features/feature.ts";
import { pageRoutes } from "./http/page.ts";
import { accountRoutes } from "./http/people/account.ts";
import { loginRoutes } from "./http/people/logins.ts";
import { peopleRoutes } from "./http/people/people.ts";
import { tokenRoutes } from "./http/people/tokens.ts";
import { permissionRoutes } from "./http/permissions.ts";
import { errorReplies } from "./http/requests/errors.ts";
import { safetyRoutes } from "./http/safety.ts";
import { sessionRoutes } from "./http/sessions.ts";
import { OpenCalls } from "./http/turns/open-calls.ts";
import { turnRoutes } from "./http/turns/turns.ts";
import { workerRoutes } from "./http/workers.ts";
import { LocalMachine } from "./machine/local-machine.ts";
import type { Machine } from "./machine/machine.ts";
import { Hub } from "./session/hub/hub.ts";
import { startIdleSweeper } from "./session/hub/idle-sweeper.ts";
import { ListWatch } from "./session/hub/list-watch.ts";
import { Permissions } from "./session/permissions/permissions.ts";
import { WorkerLink } from "./session/worker/worker-link.ts";
import { WorkerPool } from "./session/worker/worker-pool.ts";
import { eventStream } from "./sockets/event-stream.ts";
import { listSocket } from "./sockets/list-socket.ts";
import type { LocalSocket } from "./sockets/local/local-socket.ts";
import type { LocalMethod } from "./sockets/local/methods.ts";
import { sessionSocket } from "./sockets/session-socket.ts";
import { type CommandListener, SocketGate } from "./sockets/socket-gate.ts";
import { endSocketsWithLogins, webSockets } from "./sockets/web-sockets.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";

export interface AppOptions {
  config: Config;
  token: string;
  version: string;
  /** Where the built page and the built-in worker are. */
  webRoot: string;
  builtinEntry: string;
  log: FastifyBaseLogger;
  /** Called with a sentence about what protects a person here, before anything else is logged. */
  onSafety(sentence: string): void;
  /** All features by default. */
  features?: readonly Feature[];
}

export interface App {
  http: FastifyInstance;
  /** Every route with its rule. */
  routes(): readonly GuardedRoute[];
  /** Listens for HTTP and resolves with the address. Rejects with Node's error. */
  listen(): Promise<string>;
  /** A fresh address that logs a browser in, once. */
  newLoginUrl(): string;
  /** Called when the server listens: starts workers ahead. */
  warmUp(): void;
  hub: Hub;
  access: Access;
  /** The caller starts listening; undefined where that feature was left out. */
  localSocket: LocalSocket | undefined;
  close(): Promise<void>;
}

/** No inline script, nothing from elsewhere. Styles may be inline: controls position themselves that way. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    workerSrc: ["'self'", "blob:"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

export async function createApp(options: AppOptions): Promise<App> {
  const { config, version, log } = options;
  let logProblem: string | undefined;
  useFastIo(config.fastIo);
  const sandbox = findSandbox(config.environment["PATH"] ?? ""); // tried once, while the database is opened
  const store = await SqliteStore.open({
    home: config.home,
    segmentBytes: config.limits.replay_bytes,
    onWriteError: (error) => {
      logProblem =
        error === null
          ? undefined
          : `The log cannot be written: ${error.message}. Agents are paused until it can.`;
      log[error === null ? "info" : "error"]({ err: error }, logProblem ?? "the log can be written again");
      for (const session of hub.openSessions) session.announceNow();
    },
    onUnreadable: ({ table, row }, err) =>
      log.error({ table, row, err }, "a row of the database cannot be read and is left out"),
  });
  const { builtinEntry, onSafety } = options;
  const { settings } = store;
  const machine = await LocalMachine.open({ config, builtinEntry, sandbox, settings, log, onSafety });
  const pool = createPool(machine, config, log);
  const prices = new Prices(Catalog.shipped(), config.prices.overrides);
  const { realPath } = machine.directories;
  const budgets = new Budgets({ store, configured: config.budgets, log, realPath });
  const planLimits = new PlanLimits(settings, (err) =>
    log.error({ err }, "the limits of plans could not be kept"),
  );
  const announcements = new Announcements(store.announcements);
  const permissions = new Permissions({ store: store.permissions, log });
  const people = await People.open(store.people);
  const hub = new Hub({
    ...{ store, prices, budgets, planLimits, permissions, machine, config, log, pool },
    logProblem: () => logProblem,
    holder: () => people.holder?.id,
    changed: (id) => listWatch.changed(id),
  });
  const listWatch = new ListWatch((id) => hub.find(id));
  budgets.onChange((sessions, notice) => hub.budgetChanged(sessions, notice));
  budgets.onRoom((sessions) => hub.roomGivenBack(sessions));
  budgets.onLimitsChanged(() => hub.limitsChanged());

  const logins = await Logins.open(store.logins, config.limits, log);
  const tokens = await PersonalTokens.open(store.tokens, log);
  const access = new Access({
    token: options.token,
    logins,
    people,
    tokens,
    failuresPerMinute: config.limits.failed_logins_per_minute,
    throttled: (address) =>
      log.warn({ address }, "too many failed logins: this address is blocked for a while"),
  });
  const credentials = await PersonCredentials.open(store.credentials);
  const accounts = new Accounts({
    access,
    credentials,
    secondFactors: new SecondFactors(credentials),
    guesses: new Guesses(config.limits.failed_logins_per_minute, (what) =>
      log.warn({ what }, "too many wrong passwords: guesses are refused for a while"),
    ),
    devices: new KnownDevices(options.token),
    stopSessions: (person) => hub.stopSessionsOf(keptOwner(person)),
    log,
  });
  const rights = new Rights(people, (id) => hub.rightsOf(id));
  tokens.onEnd(() => rights.changed(null));
  rights.onChange((id) =>
    listWatch.rightsChanged(id === null ? hub.records().map((record) => record.id) : [id]),
  );
  const commandListeners: CommandListener[] = [];
  const openGate = (request: FastifyRequest): SocketGate =>
    new SocketGate({ access, rights, listeners: commandListeners }, request);
  const isProxy = proxiesOf(config.trustProxy);
  const connections = new Connections({ perAddress: config.limits.connections_per_address, isProxy });
  const webServer = new WebServer({ limits: config.limits, tls: config.tls, connections, log });
  let url = "";
  const loginUrl = (code: string): string => `${url}${config.basePath}/#code=${code}`;
  const invitationUrl = (secret: string): string => `${url}${config.basePath}/#invitation=${secret}`;
  const newLoginUrl = (): string => loginUrl(access.codes.make());

  const http = Fastify({
    serverFactory: (handler) => webServer.create(handler),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // addresses may hold what people typed
    bodyLimit: 1024 * 1024, // session calls are small; prompts travel by socket
    forceCloseConnections: true,
    pluginTimeout: 0, // no plugin of ours waits, and a clock that jumps during the start would trigger the timeout
    trustProxy: config.trustProxy === false ? false : isProxy,
    rewriteUrl: ({ url }) => withoutBase(url ?? "/", config.basePath),
  });
  errorReplies(http);
  await http.register(helmet, { contentSecurityPolicy, strictTransportSecurity: false });
  await webSockets(http, config.limits);
  const loginMaxMs = config.limits.login_max_ms;
  const routes = await guard(http, {
    access,
    rights,
    hosts: new HostCheck(config),
    base: config.basePath,
    loginMaxMs,
    admitted: ({ socket }) => connections.loggedIn(socket),
  });
  endSocketsWithLogins(http, access);
  loginRoutes(http, { access, accounts, base: config.basePath, loginMaxMs, loginUrl });
  sessionSocket(http, hub, config.limits, openGate);
  const calls = new OpenCalls(config.limits.open_calls);
  eventStream(http, { hub, calls, logins, limits: config.limits, openGate });
  const leaveWatchers = listSocket(http, listWatch, config.limits, openGate);
  http.get("/healthz", may("health.read"), async () => ({ status: "ok", version }));
  workerRoutes(http, machine.workers, prices, config);
  safetyRoutes(http, machine.safety, () => pool?.renew());
  sessionRoutes(http, hub, rights);
  turnRoutes(http, {
    ...{ hub, store, calls, rights, base: config.basePath, maxBytes: config.limits.viewer_line_bytes },
    auditsText: config.audit.prompts === "text",
    senderOf: (request) => access.senderOf(request.principal),
    refusalOf: (request, action, session) => openGate(request).refusal(action, session),
  });
  permissionRoutes(http, permissions, rights);
  peopleRoutes(http, { access, accounts, rights, hub, base: config.basePath });
  accountRoutes(http, { access, accounts, base: config.basePath });
  tokenRoutes(http, tokens);

  const core: Core = {
    ...{
      config,
      version,
      log,
      store,
      machine,
      prices,
      budgets,
      planLimits,
      announcements,
      hub,
      access,
      accounts,
      rights,
      http,
    },
    webRoot: options.webRoot,
    logins: { newLoginUrl, invitationUrl, revokeAll: () => logins.revokeAll() },
    onCommand: (listener) => void commandListeners.push(listener),
    localMethods: new Map<string, LocalMethod>(),
  };
  const started: StartedFeature[] = [];
  for (const feature of options.features ?? allFeatures) started.push(await feature.start(core));
  await pageRoutes(http, options.webRoot, config.basePath);

  await budgets.load();
  await planLimits.load();
  await permissions.load();
  await hub.load();
  for (const feature of started) feature.loaded?.();
  const idleSweeper = startIdleSweeper(hub, config.limits, (error) =>
    log.warn({ err: error }, "idle sessions could not be closed"),
  );

  return {
    http,
    routes,
    hub,
    access,
    localSocket: started.find(({ localSocket }) => localSocket !== undefined)?.localSocket,
    newLoginUrl,
    async listen() {
      url = await webServer.listen(http, config);
      return url;
    },
    warmUp: () => pool?.fill(),
    async close() {
      idleSweeper.stop();
      leaveWatchers();
      await Promise.all(started.map(async (feature) => feature.stop?.()));
      await Promise.all([hub.close(), machine.close()]);
      await http.close();
      await Promise.all(started.map(async (feature) => feature.close?.()));
      tokens.close();
      await logins.close();
      await planLimits.flushed();
      await store.close();
    },
  };
}

/** Only for the worker that a new session gets unless it names another. */
function createPool(machine: Machine, config: Config, log: FastifyBaseLogger): WorkerPool | undefined {
  const { limits } = config;
  if (config.defaultWorker !== "builtin" || limits.worker_pool === 0) return undefined;
  const start = {
    worker: "builtin",
    fallback: false,
    added: ["--await-begin"],
    cwd: config.home,
    model: undefined,
  };
  return new WorkerPool({
    size: limits.worker_pool,
    startMs: limits.worker_start_ms,
    launch: (listener) => new WorkerLink({ machine, start, stopWaitMs: limits.worker_stop_ms }, listener),
    onError: (error) => log.warn({ err: error }, "no agent could be started in advance"),
  });
}
