// Reads a fixture of worker lines: as they are, and as the frames among them.
import { readFileSync } from "node:fs";
import { type Frame, readFrame } from "@patchbay/protocol";

export type FixtureName = "colibri-401" | "colibri-tool-call" | "zot-grammar";

export const fixtureLines = (name: FixtureName): string[] =>
  readFileSync(new URL(`./fixtures/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** The frames, without responses. Anything malformed is an error in the fixture. */
export const fixtureFrames = (name: FixtureName): Frame[] => fixtureLines(name).flatMap(frameOf);

function frameOf(line: string): Frame[] {
  const reading = readFrame(line);
  if (reading.kind === "frame") return [reading.frame];
  if (reading.kind === "response") return [];
  throw new Error(`${reading.kind} in a fixture: ${line}`);
}
