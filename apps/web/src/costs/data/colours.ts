// Which colour a name has: the same in every view, as far as two names in one view do not want the same one. The
// colours themselves are in theme.css, chosen so that colour-blind people can tell them apart.

/** Families of models keep their colour from version to version. */
const families: readonly (readonly [RegExp, number])[] = [
  [/sonnet/i, 1],
  [/opus/i, 5],
  [/haiku/i, 3],
  [/gpt|codex|^o\d/i, 6],
  [/gemini/i, 4],
  [/deepseek|qwen|llama|mistral/i, 7],
];

const count = 7;
const rest = "var(--chart-rest)";

export function coloursOf(names: readonly (string | null)[]): Map<string | null, string> {
  const taken = new Set<number>();
  const colours = new Map<string | null, string>([[null, rest]]);
  for (const name of [...new Set(names)].sort(byText)) {
    if (name === null) continue;
    let slot = preferredSlot(name);
    for (let tried = 0; taken.has(slot) && tried < count; tried++) slot = (slot % count) + 1;
    taken.add(slot);
    colours.set(name, `var(--chart-${slot})`);
  }
  return colours;
}

function preferredSlot(name: string): number {
  const family = families.find(([pattern]) => pattern.test(name));
  if (family !== undefined) return family[1];
  let hash = 7;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return (hash % count) + 1;
}

const byText = (a: string | null, b: string | null): number => ((a ?? "") < (b ?? "") ? -1 : 1);
