// The search of a store: what is found, in which order, and what is no longer. Every implementation runs this.
import { describe, expect, it } from "vitest";
import type { SearchQuery, SearchText } from "../../../src/store/search.ts";
import type { Store } from "../../../src/store/store.ts";
import { openStore } from "../../support/open-store.ts";

const said = (seq: number, text: string, change: Partial<SearchText> = {}): SearchText => ({
  seq,
  part: 0,
  kind: "answer",
  branch: "main",
  time: "2026-01-01T00:00:00.000Z",
  text,
  ...change,
});
const words = (...texts: string[]): SearchQuery["terms"] => texts.map((text) => ({ text, phrase: false }));
const phrase = (text: string): SearchQuery["terms"] => [{ text, phrase: true }];
const seqs = async (store: Store, terms: SearchQuery["terms"], change: Partial<SearchQuery> = {}) =>
  (await store.search({ terms, limit: 50, ...change })).map(({ session, seq }) => `${session}${seq}`);

describe("the search", () => {
  it("[L22] finds beginnings of words and phrases, all of them, the newest first, with the place marked", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.index([
      { session: "a", texts: [said(1, "The retry test fails."), said(4, "Retrying helps a café")], upTo: 5 },
      { session: "b", texts: [said(2, "A test of nothing", { kind: "prompt" })], upTo: 2 },
    ]);
    expect(await seqs(store, words("retry"))).toEqual(["a4", "a1"]);
    expect(await seqs(store, words("RETR", "test"))).toEqual(["a1"]);
    expect(await seqs(store, words("cafe"))).toEqual(["a4"]);
    expect(await seqs(store, phrase("retry test"))).toEqual(["a1"]);
    expect(await seqs(store, phrase("test retry"))).toEqual([]);
    expect(await seqs(store, words("test"), { sessions: ["b"] })).toEqual(["b2"]);
    expect(await seqs(store, words("test"), { kinds: ["answer"] })).toEqual(["a1"]);
    expect(await seqs(store, words("test"), { limit: 1 })).toEqual(["b2"]);
    const [hit] = await store.search({ terms: words("retry", "fails"), limit: 5 });
    expect(hit).toMatchObject({ session: "a", seq: 1, kind: "answer", time: "2026-01-01T00:00:00.000Z" });
    expect(hit?.snippet.filter(({ match }) => match).map(({ text }) => text)).toEqual(["retry", "fails"]);
    expect(hit?.snippet.map(({ text }) => text).join("")).toBe("The retry test fails.");
  });

  it("[L22] takes whatever a person types for words", async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.index([{ session: "a", texts: [said(1, 'call f("x") OR die; --flag')], upTo: 1 }]);
    for (const odd of ['"', "*", "(", "--", "NEAR(", "^", "a:b:", "'; drop table said; --"])
      await store.search({ terms: words(odd), limit: 5 });
    expect(await seqs(store, words("OR", "--flag"))).toEqual(["a1"]);
    expect(await seqs(store, words('f("x")'))).toEqual(["a1"]);
    expect(await seqs(store, words("***"))).toEqual([]);
  });

  it("[L23] knows how far it is, takes nothing twice, and forgets what was cleared or deleted", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const news = { session: "a", texts: [said(1, "apple"), said(3, "banana")], upTo: 4 };
    await store.index([news]);
    await store.index([news]);
    expect(await seqs(store, words("banana"))).toEqual(["a3"]);
    expect(await store.indexedUpTo("a")).toBe(4);
    const again = await opened.reopen();
    await again.index([{ session: "a", texts: [said(6, "cherry")], upTo: 6, forgetBefore: 5 }]);
    expect(await seqs(again, words("banana"))).toEqual([]);
    expect(await seqs(again, words("cherry"))).toEqual(["a6"]);
    await again.deleteSession("a");
    expect(await seqs(again, words("cherry"))).toEqual([]);
    expect(await again.indexedUpTo("a")).toBe(0);
  });

  it("[L70] keeps what one frame says in several parts apart, and forgets all of them", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const cut = [
      said(7, "an answer that was cut", { part: 1 }),
      said(7, "bash ls", { part: 2, kind: "tool" }),
    ];
    const news = { session: "a", texts: [...cut, said(7, "go on", { kind: "prompt" })], upTo: 7 };
    await store.index([news]);
    await store.index([news]);
    const found = async (text: string) =>
      (await store.search({ terms: words(text), limit: 5 })).map(({ seq, part, kind }) => [seq, part, kind]);
    expect(await found("cut")).toEqual([[7, 1, "answer"]]);
    expect(await found("bash")).toEqual([[7, 2, "tool"]]);
    expect(await found("go")).toEqual([[7, 0, "prompt"]]);
    await store.index([{ session: "a", texts: [], upTo: 8, forgetBefore: 8 }]);
    for (const text of ["cut", "bash", "go"]) expect(await found(text)).toEqual([]);
  });
});
