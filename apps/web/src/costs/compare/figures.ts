// How the figures of a comparison read. A difference has its sign; a minus is as wide as a plus.
import { formatDollars } from "../../format/money.ts";
import { grouped } from "../../format/number.ts";

export const signedDollars = (dollars: number): string =>
  dollars === 0 ? formatDollars(0) : `${sign(dollars)}${formatDollars(Math.abs(dollars))}`;

export const signedTokens = (tokens: number): string =>
  tokens === 0 ? "0" : `${sign(tokens)}${grouped(Math.abs(tokens))}`;

const sign = (number: number): string => (number < 0 ? "−" : "+");
