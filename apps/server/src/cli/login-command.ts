// `patchbay login`, `patchbay token` and `patchbay logout --all`: log browsers in and out from the machine that runs the
// server. stdout has only what a script needs; explanations go to stderr.
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { type Config, readConfig } from "../config/config.ts";
import { readToken, tokenPath } from "../config/home.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { callServer } from "./call-server.ts";

const usages = {
  login: `patchbay login: print a link that logs a browser in

  The link works once, within one minute. The server must be running.
`,
  token: `patchbay token: print the access token for programs

  Programs send it as "Authorization: Bearer TOKEN". It gives full access. For browsers, use "patchbay login".
`,
  logout: `patchbay logout --all: log all browsers out

  The server must be running. Programs that use the token are not affected.
`,
} as const;

const flags = "  --home DIR, --config FILE   the same as for the server\n";

type Command = keyof typeof usages;

export const isLoginCommand = (name: string): name is Command => Object.hasOwn(usages, name);

export async function loginCommand(command: Command, argv: readonly string[]): Promise<void> {
  const { help, all, server } = readFlags(command, argv);
  if (help) return void process.stdout.write(`${usages[command]}\n${flags}`);
  const config = readConfig(server);
  if (command === "token") return printToken(config);
  if (command === "login") return printLoginUrl(config);
  if (!all) throw new StartError('Use "patchbay logout --all" to log all browsers out.');
  const { revoked } = await callServer(config.home, "logins/revoke", {}, z.object({ revoked: z.number() }));
  process.stdout.write(`${revoked === 1 ? "1 browser was" : `${revoked} browsers were`} logged out.\n`);
}

async function printLoginUrl({ home }: Config): Promise<void> {
  const { login_url } = await callServer(home, "logins/code", {}, z.object({ login_url: z.string() }));
  process.stdout.write(`${login_url}\n`);
  process.stderr.write(
    "Open the link within one minute. It works once. On another device, paste it into the login page.\n",
  );
}

function printToken({ home, token: own }: Config): void {
  const token = own ?? readToken(home);
  if (token === undefined)
    throw new StartError(`There is no token in ${home} yet. Start Patchbay once to create it.`);
  process.stdout.write(`${token}\n`);
  process.stderr.write(`The token is stored in ${own === undefined ? tokenPath(home) : "PATCHBAY_TOKEN"}.\n`);
}

function readFlags(
  command: Command,
  argv: readonly string[],
): { help: boolean; all: boolean; server: string[] } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        home: { type: "string" },
        config: { type: "string" },
        help: { type: "boolean", short: "h" },
        ...(command === "logout" ? { all: { type: "boolean" as const } } : {}),
      },
    });
    const server = [
      ...(values.home === undefined ? [] : ["--home", values.home]),
      ...(values.config === undefined ? [] : ["--config", values.config]),
    ];
    return { help: values.help ?? false, all: "all" in values && values["all"] === true, server };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new StartError(`${problem}. Run "patchbay ${command} --help" to see the options.`);
  }
}
