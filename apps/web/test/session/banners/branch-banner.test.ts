// The branch that a link leads to.
import type { Branch, Message } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { otherBranchWith } from "../../../src/session/banners/branch-banner.tsx";

describe("a link to what was said", () => {
  it("[L24] finds the branch it was said on, unless the one that is shown has it", () => {
    const message = (time: string): Message => ({ role: "user", content: [], time });
    const branch = (id: string, messages: Message[], shares: Branch["shares"]): Branch => ({
      id,
      shares,
      messages,
      marks: [],
      context_tokens: null,
      left: 0,
    });
    const [early, late] = ["2026-01-01T00:00:00.001Z", "2026-01-01T01:00:00.002+01:00"];
    const transcript = {
      messages: [message(early)],
      branches: [
        branch("main", [message(late)], { with: "b1", messages: 1, marks: 0 }),
        branch("b1", [], null),
      ],
    };
    expect(otherBranchWith(transcript, Date.parse(early))).toBeNull();
    expect(otherBranchWith(transcript, Date.parse(late))).toBe("main");
    expect(otherBranchWith(transcript, 5)).toBeNull();
  });
});
