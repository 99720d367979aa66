// Plays the conformance suite once on every real agent that is installed (`npm run agents`), and writes what came of it into
// the table of docs/agents.md. A scene that fails is in the table as such: the run then ends with an error.
// node scripts/conformance.mjs [agent…]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./install.mjs";

const wanted = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "patchbay-conformance-"));
const results = join(directory, "results.jsonl");
const only = wanted.length === 0 ? [] : ["-t", `^(${wanted.join("|")}) itself`];
const suite = ["apps/server/test/conformance/real.test.ts", "--retry=0", "--reporter=verbose"];
const vitest = ["vitest", "run", ...suite, ...only];
const env = { ...process.env, PATCHBAY_CONFORMANCE: results };
const { status } = spawnSync("npx", vitest, { cwd: root, env, stdio: "inherit" });
if (status === null) {
  process.stderr.write("The suite was ended before its end: the table stays as it was.\n");
  process.exit(1);
}

const page = join(root, "docs/agents.md");
const begin = "<!-- written by npm run conformance -->\n";
const end = "<!-- end -->\n";
const text = readFileSync(page, "utf8");
const [before, rest = ""] = text.split(begin);
const [old = "", after = ""] = rest.split(end);
const rows = new Map();
for (const line of old.split("\n")) {
  const data = /^<!-- data (.*) -->$/.exec(line)?.[1];
  if (data !== undefined) for (const row of JSON.parse(data)) rows.set(`${row.agent} ${row.scene}`, row);
}
const played = existsSync(results)
  ? readFileSync(results, "utf8")
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
for (const agent of new Set(played.map((row) => row.agent)))
  for (const [key, row] of rows) if (row.agent === agent) rows.delete(key);
for (const row of played) rows.set(`${row.agent} ${row.scene}`, row);
const agentsFirst = [...rows.values()].toSorted((one, other) => one.agent.localeCompare(other.agent));
writeFileSync(page, before + begin + tableOf(agentsFirst) + end + after);
writeTested(agentsFirst.filter(({ capabilities }) => capabilities !== undefined));
rmSync(directory, { recursive: true });
process.exit(status ?? 1);

/** For the list of agents in the page, as far as nobody has started them there. */
function writeTested(agents) {
  const path = join(root, "apps/server/src/machine/profiles/tested-agents.ts");
  const [head] = readFileSync(path, "utf8").split("export const testedAgents");
  const entries = agents.map(({ agent, version, capabilities }) => [agent, { version, capabilities }]);
  const table = `Readonly<Record<string, TestedAgent>> = ${JSON.stringify(Object.fromEntries(entries))}`;
  writeFileSync(path, `${head}export const testedAgents: ${table};\n`);
  spawnSync("npx", ["biome", "check", "--write", "--linter-enabled=false", path], { cwd: root });
}

function tableOf(all) {
  const agents = [...new Set(all.map(({ agent }) => agent))];
  const scenes = [...new Set(all.flatMap(({ scene }) => scene ?? []))];
  const reasons = [...new Set(all.flatMap(({ because }) => because ?? []))];
  const sign = ({ outcome, because } = {}) =>
    outcome === undefined
      ? ""
      : outcome === "passes"
        ? "yes"
        : outcome === "fails"
          ? "**fails**"
          : `no ${reasons.indexOf(because) + 1}`;
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const versionOf = (name) => all.find(({ agent }) => agent === name)?.version ?? "";
  return [
    `Played on ${new Date().toISOString().slice(0, 10)}, on ${process.platform}.`,
    "",
    line(["scene", ...agents.map((name) => `${name} ${versionOf(name)}`)]),
    `|---|${agents.map(() => "---|").join("")}`,
    ...scenes.map((scene) =>
      line([
        scene,
        ...agents.map((name) => sign(all.find((row) => row.agent === name && row.scene === scene))),
      ]),
    ),
    "",
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
    "",
    `<!-- data ${JSON.stringify(all)} -->`,
    "",
  ].join("\n");
}
