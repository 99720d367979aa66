// `patchbay audit verify`: checks that nobody changed the audit, with a running server or without one.
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { type AuditCheck, checkChain } from "../access/audit/audit-chain.ts";
import { readConfig } from "../config/config.ts";
import { prepareHome } from "../config/home.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { HomeTakenError } from "../store/sqlite/home-lock.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { callServer } from "./call-server.ts";

const usage = `patchbay audit verify: check that no entry of the audit was changed, removed or inserted

  patchbay audit verify [--json]

  --json                      print the result as one line of JSON
  --home DIR, --config FILE   the same as for the server

  Ends with status 1 if an entry is not as it was written. Note the newest entry that is printed, elsewhere: entries that are
  cut off at the end leave a chain that is whole, but shorter.
`;

const Anchor = z.object({ seq: z.number(), hash: z.string() });
const Check = z.object({
  entries: z.number(),
  newest: Anchor,
  broken: z.nullable(z.object({ seq: z.number(), problem: z.string() })),
});

export async function auditCommand(argv: readonly string[]): Promise<void> {
  const { help, json, server } = readFlags(argv);
  if (help) return void process.stdout.write(usage);
  const { home } = readConfig(server);
  prepareHome(home);
  const check = await checkAudit(home);
  process.stdout.write(json ? `${JSON.stringify(check)}\n` : describeCheck(check));
  if (check.broken !== null)
    throw new StartError(`The audit was changed at entry ${check.broken.seq}: ${check.broken.problem}.`);
}

async function checkAudit(home: string): Promise<AuditCheck> {
  try {
    const store = await SqliteStore.open({
      home,
      segmentBytes: Number.MAX_SAFE_INTEGER,
      onWriteError: () => {},
    });
    try {
      return await checkChain(store.audit);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof HomeTakenError)) throw error;
    return callServer(home, "audit/check", {}, Check);
  }
}

const describeCheck = ({ entries, newest }: AuditCheck): string =>
  entries === 0
    ? "The audit has no entries.\n"
    : `${entries} ${entries === 1 ? "entry is" : "entries are"} as written. The newest is ${newest.seq} with the hash ${newest.hash}.\n`;

function readFlags(argv: readonly string[]): { help: boolean; json: boolean; server: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        home: { type: "string" },
        config: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    const help = values.help ?? false;
    if (!help && (positionals[0] !== "verify" || positionals.length > 1))
      throw new Error('Use "patchbay audit verify"');
    const server = [
      ...(values.home === undefined ? [] : ["--home", values.home]),
      ...(values.config === undefined ? [] : ["--config", values.config]),
    ];
    return { help, json: values.json ?? false, server };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new StartError(`${problem}. Run "patchbay audit --help" to see the options.`);
  }
}
