// The terms of a search, as the server reads them: beginnings of words, and phrases in quotes.

/** Each matches one of them wherever it stands; all of them are in what was found. */
export function searchTerms(query: string): RegExp[] {
  return [...query.matchAll(/"([^"]*)"?|([^\s"]+)/g)].flatMap(([, phrase, word]) => {
    // What is neither letter nor digit separates words for the server, whatever it is.
    const parts = (phrase ?? word ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
    if (parts.length === 0) return [];
    const end = phrase === undefined ? "" : "(?![\\p{L}\\p{N}])";
    return [new RegExp(`(?<![\\p{L}\\p{N}])${parts.join("[^\\p{L}\\p{N}]+")}${end}`, "giu")];
  });
}

export const hasAll = (text: string, terms: readonly RegExp[]): boolean =>
  terms.every((term) => text.search(term) !== -1);
