// Numbers as the page writes them everywhere: 12,345.67, in German 12.345,67. By hand, because the first use of Intl (`toLocaleString` is
// one) costs 30 ms before anything is on the screen, and four times that on a phone.
import { language } from "../language/language.ts";

const [separator, point] = language === "de" ? [".", ","] : [",", "."];

/** With the decimal point of the language, without groups. */
export const fixed = (number: number, decimals: number): string =>
  number.toFixed(decimals).replace(".", point);

export const grouped = (number: number, decimals = 0): string => {
  const [whole = "", part] = number.toFixed(decimals).split(".");
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, separator);
  return part === undefined ? groups : `${groups}${point}${part}`;
};
