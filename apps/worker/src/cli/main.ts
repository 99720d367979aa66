// `patchbay ext …`: manages extensions from the command line. It reads the same directories and manifests as
// the extension host, so that what it lists is what would run.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readWorkerConfig } from "../config/worker-config.ts";
import { CliError } from "./cli-error.ts";
import { installExtension } from "./install.ts";
import { type Installed, installed } from "./installed.ts";
import { listExtensions } from "./list.ts";
import { showLog } from "./logs.ts";
import { pick } from "./pick.ts";
import { removeExtension } from "./remove.ts";
import { setEnabled } from "./set-enabled.ts";

const usage = `patchbay ext: manage extensions of the built-in agent

  patchbay ext list                     list installed extensions and whether they run
  patchbay ext install <path|git-url>   copy or clone an extension into <home>/extensions
  patchbay ext remove <name> [--yes]    delete an extension
  patchbay ext enable <name>            start it again in new sessions
  patchbay ext disable <name>           keep it installed, but do not start it
  patchbay ext logs <name> [-f]         show what it wrote to stderr; -f follows the log

  <name> is the name of an extension, the name of its directory, or its path.
  -y, --yes    do not ask before deleting
  --home DIR   default: $PATCHBAY_HOME, else ~/.patchbay
  --cwd DIR    project whose extensions are included (default: the current directory)
`;

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parse(argv);
  const [verb, name, ...more] = positionals;
  if (values.help || verb === undefined) return void process.stdout.write(usage);
  if (more.length > 0)
    throw new CliError(
      `too many arguments: ${more.join(" ")}. Run "patchbay ext --help" to see the commands.`,
    );
  // A copy: readConfig removes secrets from the environment it reads, but git may need its proxy variables.
  const config = readWorkerConfig({ ...process.env }, {});
  const home = resolve((values.home ?? config.home).replace(/^~(?=\/|$)/, homedir()));
  const cwd = resolve(values.cwd ?? ".");
  const all = (): Promise<Installed[]> => installed({ home, cwd, zotHome: config.zotHome });
  const one = async (): Promise<Installed> => pick(await all(), wanted(verb, name));
  switch (verb) {
    case "list":
      return listExtensions(await all(), home, cwd);
    case "install":
      return installExtension(wanted(verb, name, "a directory or the address of a git repository"), home);
    case "remove":
    case "rm":
      return removeExtension(await one(), values.yes ?? false);
    case "enable":
    case "disable":
      return setEnabled(await one(), verb === "enable");
    case "logs":
      return showLog(home, await all(), wanted(verb, name), values.follow ?? false);
    default:
      throw new CliError(
        `unknown command "patchbay ext ${verb}". Run "patchbay ext --help" to see the commands.`,
      );
  }
}

function wanted(verb: string, name: string | undefined, what = "the name of an extension"): string {
  if (name === undefined) throw new CliError(`patchbay ext ${verb} needs ${what}.`);
  return name;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        home: { type: "string" },
        cwd: { type: "string" },
        yes: { type: "boolean", short: "y" },
        follow: { type: "boolean", short: "f" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new CliError(
      `${error instanceof Error ? error.message : String(error)} Run "patchbay ext --help" to see the options.`,
    );
  }
}

/** The first argument is `ext`. */
main(process.argv.slice(3)).catch((error: unknown) => {
  const message =
    error instanceof CliError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`patchbay: ${message}\n`);
  process.exitCode = 1;
});
