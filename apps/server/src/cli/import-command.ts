// `patchbay import costs`: imports the costs of other programs into the ledger. A running server of the same home has the ledger open,
// so the command calls that server through its local socket.
import { parseArgs } from "node:util";
import { CostImport, type ImportedSums } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type Config, expandHome, readConfig } from "../config/config.ts";
import { prepareHome } from "../config/home.ts";
import { importCosts } from "../costs/imports/import-costs.ts";
import { Catalog } from "../costs/prices/catalog.ts";
import { CatalogSource } from "../costs/prices/catalog-source.ts";
import { Prices } from "../costs/prices/prices.ts";
import { CostSettings } from "../costs/settings/cost-settings.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { allowedDirectory } from "../machine/files/allowed-directory.ts";
import { localImports } from "../machine/local-machine.ts";
import { HomeTakenError } from "../store/sqlite/home-lock.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { callServer } from "./call-server.ts";

const usage = `patchbay import costs: import what other programs spent outside of Patchbay
(zot, pi, omp, Claude Code, Codex, Gemini CLI and opencode)

  patchbay import costs [--dry-run] [--from DIR] [--json]

  --dry-run    print what would be imported, without importing it
  --from DIR   search this home directory instead of yours
  --json       print the report as one line of JSON
  --home DIR, --config FILE   the same as for the server

  You can import as often as you like: only new calls are added, and calls that ran through Patchbay are not counted twice.
`;

const Imported = z.object({ import: CostImport });

interface Flags {
  from?: string;
  dryRun: boolean;
  json: boolean;
  help: boolean;
  server: string[];
}

export async function importCommand(argv: readonly string[]): Promise<void> {
  const flags = readFlags(argv);
  if (flags.help) return void process.stdout.write(usage);
  const config = readConfig(flags.server);
  prepareHome(config.home);
  const from = flags.from === undefined ? undefined : allowedDirectory(expandHome(flags.from), config);
  const report = await openStore(config.home).then(
    async (store) => {
      try {
        return await importCosts({
          store,
          imports: localImports(config.environment),
          prices: await pricesOf(config, store),
          from,
          dryRun: flags.dryRun,
        });
      } finally {
        await store.close();
      }
    },
    (error: unknown) => {
      if (!(error instanceof HomeTakenError)) throw error;
      const params = { dry_run: flags.dryRun, ...(from === undefined ? {} : { from }) };
      return callServer(config.home, "imports/costs", params, Imported).then((response) => response.import);
    },
  );
  process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : describeReport(report));
  if (report.state === "failed") throw new StartError(report.error ?? "The import failed.");
}

/** The same prices as a server of this home: with its discounts, and the saved catalog of the operator's source. */
async function pricesOf(config: Config, store: SqliteStore): Promise<Prices> {
  const { home, costs } = config;
  const { source, overrides, discounts } = config.prices;
  const prices = new Prices(Catalog.shipped(), overrides);
  const use = (catalog: Catalog): void => void (prices.catalog = catalog);
  await new CostSettings(store.settings, { discounts, currency: costs.currency }, prices).load();
  await new CatalogSource({ source, home, changed: use, failed: warn }).useSaved();
  return prices;
}

const warn = (problem: string): void => void process.stderr.write(`patchbay: ${problem}\n`);

const openStore = (home: string): Promise<SqliteStore> =>
  SqliteStore.open({ home, segmentBytes: Number.MAX_SAFE_INTEGER, onWriteError: () => {} });

function readFlags(argv: readonly string[]): Flags {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        from: { type: "string" },
        "dry-run": { type: "boolean" },
        json: { type: "boolean" },
        home: { type: "string" },
        config: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    const server = [
      ...(values.home === undefined ? [] : ["--home", values.home]),
      ...(values.config === undefined ? [] : ["--config", values.config]),
    ];
    const help = values.help ?? false;
    if (!help && (positionals[0] !== "costs" || positionals.length > 1))
      throw new Error('Name what to import: "patchbay import costs"');
    return {
      ...(values.from === undefined ? {} : { from: values.from }),
      dryRun: values["dry-run"] ?? false,
      json: values.json ?? false,
      help,
      server,
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new StartError(`${problem}. Run "patchbay import --help" to see the options.`);
  }
}

function describeReport({ programs, problems, dry_run }: CostImport): string {
  const lines = programs.map((sums) => describe(sums, dry_run));
  const unread = problems.map(({ path, problem }) => `could not read ${path}: ${problem}`);
  if (lines.length === 0)
    lines.push("No session files of zot, pi, omp, Claude Code, Codex, Gemini CLI or opencode found.");
  return [...lines, ...unread].map((line) => `${line}\n`).join("");
}

function describe(
  { program, files, added, changed, known, own, ...sums }: ImportedSums,
  dry: boolean,
): string {
  const cost = sums.cost_usd > 0 ? `, $${sums.cost_usd.toFixed(sums.cost_usd < 0.01 ? 6 : 2)}` : "";
  const also = [
    changed > 0 ? `${changed} updated` : "",
    known > 0 ? `${known} already known` : "",
    own > 0 ? `${own} through Patchbay` : "",
    sums.unpriced > 0 ? `${sums.unpriced} unpriced` : "",
    sums.unreadable > 0 ? `${sums.unreadable} unreadable lines` : "",
  ].filter((text) => text !== "");
  const new_ = `${added} ${added === 1 ? "call" : "calls"} ${dry ? "would be new" : "new"}`;
  return `${program}: ${files} ${files === 1 ? "file" : "files"}, ${new_}${cost}${also.length === 0 ? "" : ` (${also.join(", ")})`}`;
}
