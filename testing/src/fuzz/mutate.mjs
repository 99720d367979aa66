// Mutates lines of JSON: values of odd depth, size, range and encoding in any place, fields that are missing, doubled or renamed,
// and lines that are split, joined or not text. The same seed gives the same mutations. Plain JavaScript, because a
// worker process uses it too (testing/workers/mutator.mjs).
import fc from "fast-check";

/** Random numbers from 0 to 1 with a seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}

const nested = (depth) => {
  let value = [];
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const numbers = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  65_536,
  253_402_300_800_000,
);
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\0",
    "\u2028\u2029",
    "\u202e",
    "\ufeff",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "../../etc/passwd",
    "%00",
    "😀".repeat(50),
    "\n\r\n",
    "${x}",
    "<script>",
    "'; drop table sessions; --",
    "-1",
    "1e999",
    "NaN",
    "9".repeat(400),
    "+275760-09-13T00:00:00Z",
    "soon",
  ),
  fc.integer({ min: 1_000, max: 30_000 }).map((length) => "x".repeat(length)),
);
const values = fc.oneof(
  numbers,
  texts,
  fc.constantFrom(
    null,
    true,
    false,
    {},
    [],
    [[]],
    { type: "response" },
    { length: 1e9 },
    JSON.parse('{"then":1}'),
    { toJSON: "x" },
  ),
  fc.integer({ min: 10, max: 4_000 }).map(nested),
  fc.integer({ min: 100, max: 3_000 }).map((count) => Array.from({ length: count }, (_, index) => index)),
  fc.object({ maxDepth: 5, key: texts }),
);

/** Built once, because building one takes longer than a mutation may. */
export const oddValues = (seed) => fc.sample(values, { seed, numRuns: 400 });

export class Mutator {
  #random;
  #values;

  constructor(seed) {
    this.#random = randomFrom(seed);
    this.#values = oddValues(seed);
  }

  value() {
    return this.#random.pick(this.#values);
  }

  /** The bytes that replace the line and its LF. */
  line(text) {
    const random = this.#random;
    const kind = random.below(20);
    if (kind === 0) return Buffer.from(`${text.slice(0, random.below(text.length + 1))}\n`);
    if (kind === 1) return Buffer.from(text); // joined with the next
    if (kind === 2) return Buffer.from(`${text}\n`.repeat(1 + random.below(30)));
    if (kind === 3) return garbage(text, random);
    if (kind === 4) return Buffer.from(`${" ".repeat(random.below(100_000))}${text}\n`);
    if (kind === 5) return Buffer.from(`${JSON.stringify(this.value())}\n`);
    return Buffer.from(`${this.json(text)}\n`);
  }

  /** The text with one or a few values replaced. */
  json(text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    for (let times = 1 + this.#random.below(3); times > 0; times--) value = this.#change(value);
    return JSON.stringify(value);
  }

  #change(value) {
    const random = this.#random;
    if (typeof value !== "object" || value === null || random.below(6) === 0) return this.value();
    if (Array.isArray(value)) {
      const at = random.below(value.length + 1);
      if (at === value.length || random.below(4) === 0)
        return [...value, ...Array.from({ length: random.below(12) }, () => this.value())];
      return value.map((item, index) => (index === at ? this.#change(item) : item));
    }
    const entries = Object.entries(value);
    const at = random.below(entries.length + 1);
    if (at === entries.length)
      return Object.fromEntries([
        ...entries,
        [random.pick(["__proto__", "extra", "id", "type", "time"]), this.value()],
      ]);
    if (random.below(6) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(
      entries.map(([name, item], index) => [name, index === at ? this.#change(item) : item]),
    );
  }
}

/** Bytes that need not be text. */
function garbage(text, random) {
  const bytes = Buffer.from(`${text}\n`);
  for (let times = 1 + random.below(8); times > 0; times--)
    bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}
