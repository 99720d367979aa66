// The composition root: the only module that sees everything.
import helmet from "@fastify/helmet";
import { findSandbox } from "@patchbay/sandbox";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { Access } from "./access/access.ts";
import { withoutBase } from "./access/base-path.ts";
import { type GuardedRoute, guard } from "./access/guard.ts";
import { HostCheck } from "./access/host-check.ts";
import { Logins } from "./access/logins.ts";
import { Connections } from "./access/network/connections.ts";
import { proxiesOf } from "./access/network/proxies.ts";
import { WebServer } from "./access/network/web-server.ts";
import type { Config } from "./config/config.ts";
import { Budgets } from "./costs/budgets/budgets.ts";
import { Catalog } from "./costs/prices/catalog.ts";
import { Prices } from "./costs/prices/prices.ts";
import { CatalogSource } from "./costs/prices/refresh.ts";
import { budgetRoutes } from "./http/costs/budgets.ts";
import { priceRoutes } from "./http/costs/prices.ts";
import { usageRoutes } from "./http/costs/usage.ts";
import { fileRoutes } from "./http/files.ts";
import { importRoutes } from "./http/imports.ts";
import { loginRoutes } from "./http/logins.ts";
import { metricsRoute } from "./http/metrics.ts";
import { pageRoutes } from "./http/page.ts";
import { pathRoutes } from "./http/paths.ts";
import { errorReplies } from "./http/requests/errors.ts";
import { safetyRoutes } from "./http/safety.ts";
import { searchRoutes } from "./http/search.ts";
import { sessionRoutes } from "./http/sessions.ts";
import { workerRoutes } from "./http/workers.ts";
import { budgetEventOf } from "./integrations/events.ts";
import { startIntegrations } from "./integrations/integrations.ts";
import { PathFinder } from "./machine/git/find-paths.ts";
import { Git } from "./machine/git/run-git.ts";
import { CostImports } from "./machine/imports/cost-imports.ts";
import { endTagged, tagOfHome, tagVariable } from "./machine/processes/orphans.ts";
import { BuiltinModels } from "./machine/profiles/builtin-models.ts";
import { type Profile, Profiles } from "./machine/profiles/profiles.ts";
import { Safety } from "./machine/profiles/safety.ts";
import { allowedDirectory } from "./session/hub/directories.ts";
import { Hub } from "./session/hub/hub.ts";
import { startIdleSweeper } from "./session/hub/idle-sweeper.ts";
import { ListWatch } from "./session/hub/list-watch.ts";
import { startCatchUp } from "./session/hub/search-catch-up.ts";
import { SessionFiles, workIn, worktreesIn } from "./session/hub/session-files.ts";
import { spawnWorker } from "./session/worker/launch-worker.ts";
import { WorkerPool } from "./session/worker/worker-pool.ts";
import { listSocket } from "./sockets/list-socket.ts";
import { Daemon } from "./sockets/local/daemon.ts";
import { sessionSocket } from "./sockets/session-socket.ts";
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
  /** Told what protects a person here, in a sentence, before anything else is logged. */
  onSafety(sentence: string): void;
}

export interface App {
  http: FastifyInstance;
  /** Every route with its rule. */
  routes(): readonly GuardedRoute[];
  /** Listens for HTTP, and answers the address. Rejects as Node does. */
  listen(): Promise<string>;
  /** A fresh address that logs a browser in, once. */
  newLoginUrl(): string;
  /** Called when the server listens: starts workers ahead. */
  warmUp(): void;
  hub: Hub;
  /** The local socket; it does not listen by itself. */
  daemon: Daemon;
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
  const { config, log } = options;
  let trouble: string | undefined;
  // Tried once, while the database is opened, and told to every worker.
  const sandbox = findSandbox(config.environment["PATH"] ?? "");
  const store = await SqliteStore.open({
    home: config.home,
    segmentBytes: config.limits.replay_bytes,
    onTrouble: (error) => {
      trouble =
        error === null ? undefined : `The log cannot be written: ${error.message}. Agents wait until it can.`;
      log[error === null ? "info" : "error"]({ err: error }, trouble ?? "the log can be written again");
      for (const session of hub.openSessions) session.tellTrouble();
    },
    onUnreadable: ({ table, row }, err) =>
      log.error({ table, row, err }, "a row of the database cannot be read and is left out"),
  });
  const safety = await Safety.load({
    sandbox: await sandbox,
    configured: config.agent,
    places: config.sandbox,
    settings: store.settings,
  });
  options.onSafety(safety.sentence());
  const profiles = new Profiles({
    builtinEntry: options.builtinEntry,
    home: config.home,
    safety,
    places: config.sandbox,
    configured: config.workers,
    environment: config.environment,
  });
  const models = new BuiltinModels(profiles, (error) =>
    log.warn({ err: error }, "models could not be listed"),
  );
  const owner = tagOfHome(config.home);
  const orphans = await endTagged(owner); // of a server that was killed: the store's lock says that it is gone
  if (orphans > 0) log.warn({ orphans }, "ended what the last server left behind");
  const pool = createPool(profiles, config, owner, log);
  const prices = new Prices(Catalog.shipped(), config.prices.overrides);
  const catalogSource = new CatalogSource({
    source: config.prices.source,
    home: config.home,
    changed: (catalog) => {
      if (catalog.version !== prices.catalog.version)
        log.info({ version: catalog.version }, "another price catalog is in use");
      prices.catalog = catalog;
    },
    failed: (problem) => log.warn(problem),
  });
  await catalogSource.start(config.prices.refresh_hours * 3_600_000);
  const { webhooks, otlp } = config;
  const integrations = await startIntegrations({ webhooks, otlp, store, version: options.version, log });
  const { turnEvents } = integrations;
  const budgets = new Budgets({
    store,
    configured: config.budgets,
    log,
    onBudgetEvent: (event, budget) => {
      const told = budgetEventOf(event, budget);
      if (told !== null) integrations.tell(told);
    },
  });
  await budgets.load();
  // Sessions may also work in the worktrees that were made for them.
  const places = { ...config, directories: [...config.directories, worktreesIn(config.home)] };
  const git = new Git({
    path: config.environment["PATH"],
    limitMs: config.limits.git_ms,
    mark: { [tagVariable]: `${owner}.git` },
  });
  const files = new SessionFiles({
    home: config.home,
    git,
    failed: (err, session) => log.warn({ session, err }, "a session's files could not be looked after"),
  });
  const costImports = new CostImports({
    store,
    prices,
    environment: config.environment,
    directory: (from) => allowedDirectory(from, config),
    failed: (error) => log.error({ err: error }, "costs could not be imported"),
  });
  const hub = new Hub({
    ...{ store, prices, budgets, profiles, config: places, log, pool, owner, turnEvents, files },
    trouble: () => trouble,
    changed: (id) => listWatch.changed(id),
    importCosts: (program, path) => costImports.file(program, path),
  });
  const listWatch = new ListWatch((id) => hub.find(id));
  budgets.onChange((sessions, told) => hub.budgetChanged(sessions, told));
  await hub.load();
  const idleSweeper = startIdleSweeper(hub, config.limits, (error) =>
    log.warn({ err: error }, "idle sessions could not be looked after"),
  );
  const catchUp = startCatchUp(hub, store, log);
  const logins = await Logins.open(store.logins, config.limits, log);
  const access = new Access({
    token: options.token,
    logins,
    failuresPerMinute: config.limits.failed_logins_per_minute,
    throttled: (address) => log.warn({ address }, "too many failed logins: this address has to wait"),
  });
  const isProxy = proxiesOf(config.trustProxy);
  const connections = new Connections({ perAddress: config.limits.connections_per_address, isProxy });
  const webServer = new WebServer({ limits: config.limits, tls: config.tls, connections, log });
  let url = "";
  const loginUrl = (code: string): string => `${url}${config.basePath}/#code=${code}`;
  const newLoginUrl = (): string => loginUrl(access.codes.make());

  const http = Fastify({
    serverFactory: (handler) => webServer.create(handler),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // addresses may hold what people typed
    bodyLimit: 1024 * 1024, // session calls are small; prompts travel by socket
    forceCloseConnections: true,
    pluginTimeout: 0, // ours wait for nothing; a clock that jumps while we start would make it go off
    trustProxy: config.trustProxy === false ? false : isProxy,
    rewriteUrl: ({ url }) => withoutBase(url ?? "/", config.basePath),
  });
  errorReplies(http);
  await http.register(helmet, { contentSecurityPolicy, strictTransportSecurity: false });
  await webSockets(http, config.limits);
  const loginMaxMs = config.limits.login_max_ms;
  const routes = await guard(http, {
    access,
    hosts: new HostCheck(config),
    base: config.basePath,
    loginMaxMs,
    admitted: ({ socket }) => connections.loggedIn(socket),
  });
  endSocketsWithLogins(http, access);
  loginRoutes(http, { access, base: config.basePath, loginMaxMs, loginUrl });
  sessionSocket(http, hub, config.limits);
  const leaveWatchers = listSocket(http, listWatch, config.limits);
  http.get("/healthz", { config: { open: true } }, async () => ({ status: "ok", version: options.version }));
  workerRoutes(http, profiles, models, config);
  safetyRoutes(http, safety, () => pool?.renew());
  sessionRoutes(http, hub);
  searchRoutes(http, hub, store);
  pathRoutes(http, hub, new PathFinder(git, workIn(config.home, "paths")), places);
  fileRoutes(http, hub, files, places);
  usageRoutes(http, store, hub, prices);
  importRoutes(http, hub, costImports);
  budgetRoutes(http, budgets, hub);
  priceRoutes(http, {
    store,
    prices,
    catalogSource,
    log,
    repriced: (changes) => {
      hub.repriced(changes);
      budgets.repriced(changes);
    },
  });
  metricsRoute(http, hub, store);
  await pageRoutes(http, options.webRoot, config.basePath);

  const daemon = new Daemon({
    hub,
    profiles,
    costImports,
    logins: { newLoginUrl, revokeAll: () => logins.revokeAll() },
    version: options.version,
    home: config.home,
    log,
  });

  return {
    http,
    routes,
    hub,
    daemon,
    newLoginUrl,
    async listen() {
      url = await webServer.listen(http, config);
      return url;
    },
    warmUp: () => pool?.fill(),
    async close() {
      idleSweeper.stop();
      git.close();
      leaveWatchers();
      await catchUp.stop();
      await Promise.all([hub.close(), models.close(), costImports.close(), files.close()]);
      await daemon.close();
      await http.close();
      await logins.close();
      await catalogSource.stop();
      await integrations.close();
      await store.close();
    },
  };
}

/** Only for the worker that a new session gets unless it names another. */
function createPool(
  profiles: Profiles,
  config: Config,
  owner: string,
  log: FastifyBaseLogger,
): WorkerPool | undefined {
  const { limits } = config;
  if (config.defaultWorker !== "builtin" || limits.worker_pool === 0) return undefined;
  return new WorkerPool({
    size: limits.worker_pool,
    startMs: limits.worker_start_ms,
    launch: (listener) => {
      const builtin = profiles.get("builtin");
      const profile: Profile = { ...builtin, command: [...builtin.command, "--await-begin"] };
      const environment = profiles.environmentOf(profile);
      return spawnWorker(
        { profile, environment, owner, limits },
        { cwd: config.home, model: undefined },
        listener,
      );
    },
    onError: (error) => log.warn({ err: error }, "no worker could be started ahead"),
  });
}
