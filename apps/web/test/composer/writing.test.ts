// What the composer makes of keys, mentions and attached files.
import { describe, expect, it } from "vitest";
import { withTexts } from "../../src/composer/attachments/attachments.ts";
import { completeMention, mentionAt } from "../../src/composer/completion/mention.ts";
import { atDraft, walkHistory, withoutRepeats } from "../../src/composer/history.ts";

describe("what is written", () => {
  it("[L34] goes back through what was written before, and comes back to the draft", () => {
    const prompts = withoutRepeats(["one", "two", "two", " ", "three"]);
    expect(prompts).toEqual(["one", "two", "three"]);
    const first = walkHistory(prompts, atDraft, "half", 1);
    expect(first?.text).toBe("three");
    const second = walkHistory(prompts, first?.place ?? atDraft, "three", 1);
    expect(second?.text).toBe("two");
    const third = walkHistory(prompts, second?.place ?? atDraft, "two", 1);
    expect(walkHistory(prompts, third?.place ?? atDraft, "one", 1)).toBeNull();
    expect(walkHistory(prompts, first?.place ?? atDraft, "three", -1)).toEqual({
      place: atDraft,
      text: "half",
    });
    expect(walkHistory(prompts, atDraft, "", -1)).toBeNull();
  });

  it("[L35] an @ is completed where the cursor is, with quotes where the path needs them", () => {
    const written = "see @src/re and go";
    const mention = mentionAt(written, 8);
    expect(mention).toEqual({ start: 4, end: 11, query: "src/re" });
    expect(mention && completeMention(written, mention, "src/retry.ts")).toEqual({
      text: "see @src/retry.ts and go",
      cursor: 18,
    });
    expect(mention && completeMention(written, mention, "src/")).toEqual({
      text: "see @src/ and go",
      cursor: 9,
    });
    expect(mention && completeMention(written, mention, "a b.ts").text).toBe('see @"a b.ts" and go');
    expect(mentionAt('@"a b', 5)?.query).toBe("a b");
    expect(mentionAt("me@example.org", 14)).toBeNull();
    expect(mentionAt("@done and", 9)).toBeNull();
  });

  it("[L35] a text goes along in a fence that it cannot close", () => {
    expect(withTexts("look", [{ name: "a.md", text: "x\n```js\n1\n```\n" }])).toBe(
      "look\n\nAttached file a.md:\n````\nx\n```js\n1\n```\n````",
    );
    expect(withTexts("", [{ name: "a", text: "b" }])).toBe("Attached file a:\n```\nb\n```");
  });
});
