// Writes what was measured: a text on the terminal as it comes, and bench/RESULTS.md at the end.
import { writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { compiler, versionOf } from "./native.ts";
import type { Bar, Findings, Table } from "./part.ts";

export function textTable({ title, header, rows }: Table): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (line: readonly string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  return [`\n${title}`, ...lines.map(pad)].join("\n");
}

export const textBars = (bars: readonly Bar[]): string =>
  textTable({
    title: "Bars and goals",
    header: ["what", "measured", "bar", "met"],
    rows: bars.map((bar) => [bar.what, bar.measured, bar.bar, bar.met ? "yes" : "NO"]),
  });

export const markdownTable = ({ title, header, rows, note }: Table): string =>
  [
    `### ${title}`,
    `| ${header.join(" | ")} |`,
    `|${header.map((_, column) => (column === 0 ? "---" : "--:")).join("|")}|`,
    ...rows.map(
      (row) => `| ${row.map((cell) => (cell.startsWith("Patchbay") ? `**${cell}**` : cell)).join(" | ")} |`,
    ),
    ...(note === undefined ? [] : ["", note]),
  ].join("\n");

export const markdownBars = (bars: readonly Bar[]): string[] => [
  "## Bars and goals",
  "| what | measured | bar | met |",
  "|---|--:|--:|---|",
  ...bars.map(
    ({ what, measured, bar, met }) => `| ${what} | ${measured} | ${bar} | ${met ? "yes" : "**no**"} |`,
  ),
];

export interface Occasion {
  quick: boolean;
  parts: readonly string[];
  seconds: number;
  load: string;
}

export function writeResults(findings: readonly Findings[], occasion: Occasion): string {
  const bars = findings.flatMap((finding) => finding.bars);
  const text = [
    "# What the relay does, measured",
    "",
    "Written by `npm run bench`; do not edit. **Ratios are the result**: all bridges took turns within one run,",
    "on the same frames, with the same worker and the same reader (small C programs, so that neither is the limit).",
    "Absolute figures (frames/s, µs, MB, CPU) belong to this machine on this day and move from run to run.",
    "The reader compared every byte of every frame with what it had to be: a frame missing, twice, out of order or",
    "changed ends the bench with an error.",
    "",
    ...occasionLines(occasion),
    "",
    ...markdownBars(bars),
    "",
    "## How to read the tables",
    "- *bare pipe*: the reader reads the workers' pipes itself; nothing can be faster.",
    "- *websocketd (text)*: a message per line, what people use. *--binary*: raw reads, no lines, no numbers.",
    "- *C with a log*: whole lines into a file, then into one message; no numbers, ledger, replay or second viewer. About what one hop with a log can reach.",
    "- *minimal ws*: Node, `readline`, a message per line, as anyone would write it first.",
    "- *Patchbay*: the shipped server with log, ledger, numbering, replay and viewers on.",
    "- Every thousandth frame of a flood is followed by a usage frame, which goes into the ledger.",
    "- CPU is that of the bridge's process with its threads and children, without the workers.",
    "- Figures are medians of five rounds after one that does not count (relay), nine after three (round trips), one (many sessions, fan-out); a quick run has one.",
    "",
    ...findings.flatMap(({ tables }) => tables.flatMap((table) => [markdownTable(table), ""])),
  ].join("\n");
  const path = join(repository, "bench/RESULTS.md");
  writeFileSync(path, text);
  return path;
}

const noCompiler =
  "**no C compiler: worker and reader in Node, so the fast bridges look slower than they are**";

function occasionLines({ quick, parts, seconds, load }: Occasion): string[] {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const websocketd = versionOf("websocketd", "--version") ?? "not installed";
  return [
    `- ${new Date().toISOString().slice(0, 10)}, ${Math.round(seconds)} s, parts: ${parts.join(", ")}${quick ? "; **a quick run: provisional**" : ""}`,
    `- ${cores.length} × ${cores[0]?.model.trim() ?? "unknown CPU"}, ${memory} GB, Linux ${release()}, load at the start ${load}`,
    `- Node ${process.versions.node}; ${websocketd}; ${compiler === undefined ? noCompiler : versionOf(compiler, "--version")}`,
  ];
}
