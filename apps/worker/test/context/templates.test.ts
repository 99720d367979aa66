// Filling prompts: arguments by number and all together.
import { describe, expect, it } from "vitest";
import { fill } from "../../src/context/templates.ts";
import { splitArguments } from "../../src/features/slash-command.ts";

describe("filling a prompt", () => {
  it.each([
    ["Review $1 for $2.", "src/a.ts bugs", "Review src/a.ts for bugs."],
    ["Review $1.", '"two words" more', "Review two words."],
    ["All: $ARGUMENTS / $@", "a  'b c'", "All: a  'b c' / a  'b c'"],
    ["$2 and $1", "$1 $2", "$2 and $1"],
    ["$3|", "a b", "|"],
    ["costs $5 or $x", "", "costs  or $x"],
    ["No places.", "", "No places."],
    ["No places.", "but words", "No places.\n\nbut words"],
    ["$ARGUMENTSX stays", "a", "$ARGUMENTSX stays\n\na"],
  ])("[N9] %j with %j", (body, args, text) => {
    expect(fill(body, args)).toBe(text);
  });

  it("[N9] quotes hold words together, and an open one is a letter", () => {
    expect(splitArguments(`a "b c" d'e f'g it's "open`)).toEqual(["a", "b c", "de fg", "it's", '"open']);
    expect(splitArguments("   ")).toEqual([]);
  });
});
