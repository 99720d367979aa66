// How well something in the palette fits what is typed. Actions are found by their names before sessions are: their names
// are few and known, while with hundreds of sessions one of them contains almost anything. Pure.

export interface Ranked {
  name: string;
  keywords: readonly string[];
  kind: "action" | "session";
}

/** From the best fit to the worst; a session is as good as the actions around its number. */
const scores = {
  action: { exact: 100, begins: 90, word: 80, keyword: 58, terms: 56, inside: 50, letters: 10 },
  session: { exact: 70, begins: 65, word: 60, keyword: 40, terms: 38, inside: 45, letters: 0 },
} as const;

/** "Export…" is found by "export"; case and accents do not count. */
const plain = (text: string): string =>
  text
    .replaceAll("…", "") // before it becomes three points
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .trim();

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

/** 0: it does not fit. Without a query everything does. */
export function rank(query: string, { name, keywords, kind }: Ranked): number {
  const wanted = plain(query);
  if (wanted === "") return 1;
  const score = scores[kind];
  const called = plain(name);
  if (called === wanted) return score.exact;
  if (called.startsWith(wanted)) return score.begins;
  if (wordsOf(called).some((_, at, words) => words.slice(at).join(" ").startsWith(wanted))) return score.word;
  const others = keywords.map(plain);
  if (others.some((other) => other.startsWith(wanted))) return score.keyword;
  const words = [called, ...others].flatMap(wordsOf);
  if (
    wordsOf(wanted).length > 0 &&
    wordsOf(wanted).every((term) => words.some((word) => word.startsWith(term)))
  )
    return score.terms;
  if (called.includes(wanted) || others.some((other) => other.includes(wanted))) return score.inside;
  return isInOrder(wanted, called) ? score.letters : 0;
}

/** Its letters follow each other in the text, with others between them. */
function isInOrder(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters.replaceAll(" ", "")) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 1;
}
