// Reads the recordings of real programs in testing/transcripts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";

const folder = join(repository, "testing/transcripts");

interface RecordedLine {
  /** `in`: to the program; `out`: from it; anything else: what became of the process or the connection. */
  dir: string;
  line: string;
  /** Of a daemon's recording: which connection. */
  connection?: number;
}

export const recordingsOf = (program: string): string[] =>
  readdirSync(join(folder, program))
    .map((file) => file.replace(".jsonl", ""))
    .toSorted();

export const readRecording = (program: string, name: string): RecordedLine[] =>
  readFileSync(join(folder, program, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedLine);
