// pi and omp as workers: one dialect each, one translation for both.
import { existsSync } from "node:fs";
import type { Dialect } from "../dialect.ts";
import { PiTranslation } from "./translation.ts";
import { omp, type Program, pi } from "./wire/programs.ts";

const dialectOf = (program: Program): Dialect => ({
  name: program.name,
  /** Both name the file before they write it: until the first answer there is nothing to go on with. */
  canResume: (session) => existsSync(session),
  startArguments: ({ model, session }) => [
    ...(session === undefined ? [] : ["--session", session]),
    ...(model === undefined ? [] : ["--model", model]),
  ],
  open: (sides) => new PiTranslation(sides, program),
});

export const piDialect = dialectOf(pi);
export const ompDialect = dialectOf(omp);
