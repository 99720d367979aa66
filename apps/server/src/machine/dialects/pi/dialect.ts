// pi and omp as workers: one dialect each, and one translation for both.
import { existsSync } from "node:fs";
import type { Dialect } from "../dialect.ts";
import { PiTranslation } from "./translation.ts";
import { omp, type Program, pi } from "./wire/programs.ts";

const dialectOf = (program: Program): Dialect => ({
  name: program.name,
  capabilities: program.capabilities,
  /** Both report the file's name before they write it: before the first answer there is nothing to resume. */
  canResume: (session) => existsSync(session),
  startArguments: ({ model, session }) => [
    ...(session === undefined ? [] : ["--session", session]),
    ...(model === undefined ? [] : ["--model", model]),
  ],
  open: (host) => new PiTranslation(host, program),
});

export const piDialect = dialectOf(pi);
export const ompDialect = dialectOf(omp);
