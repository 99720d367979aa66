export interface FuzzRandom {
  next(): number;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}
export function randomFrom(seed: number): FuzzRandom;
export class Mutator {
  constructor(seed: number);
  value(): unknown;
  line(text: string): Buffer;
  json(text: string): string;
}
