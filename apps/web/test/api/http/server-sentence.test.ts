// What the server says of an error, in the language of the page.
import { errorTable } from "@patchbay/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";

const sentences = Object.values(errorTable).map(({ sentence }) => sentence);

/** The page's modules as a page of that language has them: catalogues are translated in place, for good. */
async function pageIn(language: "en" | "de"): Promise<(sentence: string) => string> {
  const { translate } = await import("../../../src/language/catalogue.ts");
  if (language === "de") translate((await import("../../../src/german.ts")).german);
  return (await import("../../../src/api/http/server-sentence.ts")).serverSentence;
}

describe("a sentence of the server", () => {
  beforeEach(() => void vi.resetModules());

  it("[P292] is the table's own on an English page", async () => {
    const serverSentence = await pageIn("en");
    expect(sentences.map(serverSentence)).toEqual(sentences);
  });

  it("[P292] is in German on a German page where it says no more than its code", async () => {
    const serverSentence = await pageIn("de");
    const german = sentences.map(serverSentence);
    expect(new Set(german).size).toBe(new Set(sentences).size);
    for (const sentence of german) expect(sentences).not.toContain(sentence);
    expect(serverSentence(errorTable.session_deleted.sentence)).toBe("Die Sitzung wurde gelöscht.");
  });

  it("[P292] stays as it came where it says more", async () => {
    const serverSentence = await pageIn("de");
    expect(serverSentence("The directory /srv/app does not exist.")).toBe(
      "The directory /srv/app does not exist.",
    );
  });

  it("[P292] is told from the others by what it says: no two codes say the same", () => {
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
