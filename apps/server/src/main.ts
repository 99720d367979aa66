// Starts the server, prints the one line that programs read, and stops it gracefully.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PatchbayError } from "@patchbay/protocol";
import pino, { type DestinationStream } from "pino";
import * as z from "zod/mini";
import { readCertificate } from "./access/network/certificate.ts";
import { checkExposure } from "./access/network/exposure.ts";
import { type App, createApp } from "./app.ts";
import { auditCommand } from "./cli/audit-command.ts";
import { help } from "./cli/help.ts";
import { importCommand } from "./cli/import-command.ts";
import { isLoginCommand, loginCommand } from "./cli/login-command.ts";
import { userCommand } from "./cli/user-command.ts";
import { type Config, readConfig } from "./config/config.ts";
import { checkToken, prepareHome, readOrMakeToken } from "./config/home.ts";
import { errorCode } from "./diagnostics/error-code.ts";
import { handleUncaught } from "./diagnostics/last-resort.ts";
import { StartError } from "./diagnostics/start-error.ts";
import { closeInherited } from "./machine/processes/inherited.ts";
import { endWhenUnused } from "./sockets/local/ephemeral.ts";

/** The bundle is in dist/server, beside dist/web and dist/worker. */
const dist = dirname(dirname(fileURLToPath(import.meta.url)));

async function start(): Promise<void> {
  closeInherited();
  const [command = "", ...rest] = process.argv.slice(2);
  if (["help", "--help", "-h"].includes(command) || wantsHelp(command, rest))
    return void process.stdout.write(help);
  if (["--version", "-v"].includes(command)) return void process.stdout.write(`${readVersion()}\n`);
  if (command === "import") return importCommand(rest);
  if (command === "audit") return auditCommand(rest);
  if (command === "user") return userCommand(rest);
  if (isLoginCommand(command)) return loginCommand(command, rest);
  const config = readConfig(process.argv.slice(2));
  const warning = checkExposure(config);
  if (config.tls !== undefined) readCertificate(config.tls); // reports a bad certificate before anything is opened
  prepareHome(config.home);
  const token = config.token === undefined ? readOrMakeToken(config.home) : checkToken(config.token);
  const log = pino({ base: null }, await logDestination());
  if (warning !== undefined) log.warn(warning);
  const app = await createApp({
    config,
    token,
    version: readVersion(),
    webRoot: join(dist, "web"),
    builtinEntry: join(dist, "worker", "worker.cjs"),
    log,
    onSafety: (sentence) => {
      if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`);
      else log.info(sentence);
    },
  });
  const url = await listen(app, config);
  await listenLocally(app);
  app.warmUp();
  const end = endOnSignal(app, log);
  handleUncaught(log, () => end("SIGTERM"));
  if (config.ephemeral && app.localSocket !== undefined)
    endWhenUnused(app.localSocket, app.hub, () => end("SIGTERM"));
  const loginUrl = app.newLoginUrl();
  process.stdout.write(
    `${JSON.stringify({ type: "listening", url, login_url: loginUrl, socket: app.localSocket?.path })}\n`,
  );
  if (config.open) openBrowser(loginUrl);
}

/** Options may come before --help. */
const wantsHelp = (command: string, rest: readonly string[]): boolean =>
  (command === "daemon" || command.startsWith("-")) &&
  rest.some((flag) => flag === "--help" || flag === "-h");

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.listen();
  } catch (error) {
    await app.close();
    const code = errorCode(error);
    if (code === "EADDRINUSE") {
      throw new StartError(
        `Port ${port} is already in use. Choose another one with --port, or use --port 0 to pick a free one.`,
      );
    }
    if (code === "EACCES") throw new StartError(`Port ${port} needs more rights. Choose a port above 1023.`);
    throw new StartError(`Cannot listen on ${host}:${port} (${code}). Check --host.`);
  }
}

async function listenLocally(app: App): Promise<void> {
  try {
    await app.localSocket?.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Service managers kill after 10 s, and a full disk could delay the stop for longer. */
const stopWithinMs = 9_500;

/** The first signal stops gracefully, the second at once. */
function endOnSignal(app: App, log: pino.Logger): (signal: NodeJS.Signals) => void {
  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    if (ending) {
      app.hub.killWorkers();
      process.exit(1);
    }
    ending = true;
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.error("Stopped by force: the log could not be written, or an agent did not end.");
      app.hub.killWorkers();
      process.exit(1);
    }, stopWithinMs).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "The server did not stop cleanly.");
        app.hub.killWorkers();
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  return end;
}

/** stderr: pretty for a person, JSON for a program. */
async function logDestination(): Promise<DestinationStream> {
  if (!process.stderr.isTTY) return pino.destination({ dest: 2, sync: true });
  const { default: pretty } = await import("pino-pretty");
  return pretty({ destination: 2, sync: true, ignore: "pid,hostname" });
}

function readVersion(): string {
  const text = readFileSync(join(dist, "..", "package.json"), "utf8");
  return z.parse(z.object({ version: z.string() }), JSON.parse(text)).version;
}

function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  child.on("error", () => {}); // no browser to open: the line above has the address
  child.unref();
}

start().catch((error: unknown) => {
  const message =
    error instanceof StartError || error instanceof PatchbayError
      ? error.message
      : error instanceof Error
        ? error.stack
        : String(error);
  process.stderr.write(`patchbay: ${message}\n`);
  process.exitCode = 1;
});
