// "1 file", "2 files".
import { grouped } from "./number.ts";

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
