// pi and omp as workers: one dialect each, one translation for both.
import type { Dialect } from "../dialect.ts";
import { omp, type Program, pi } from "./programs.ts";
import { PiTranslation } from "./translation.ts";

const dialectOf = (program: Program): Dialect => ({
  name: program.name,
  startArguments: ({ model }) => (model === undefined ? [] : ["--model", model]),
  open: (sides) => new PiTranslation(sides, program),
});

export const piDialect = dialectOf(pi);
export const ompDialect = dialectOf(omp);
