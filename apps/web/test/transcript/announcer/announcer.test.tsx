// @vitest-environment happy-dom
// What is announced to screen readers: answers and failures, once, when they happen.
import { emptyTranscript, type Frame, foldTranscript } from "@patchbay/protocol";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, it } from "vitest";
import { SessionFeed } from "../../../src/connection/session-feed.ts";
import { FeedContext } from "../../../src/connection/use-feed.ts";
import { Announcer } from "../../../src/transcript/announcer/announcer.tsx";

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

const time = "2026-11-16T10:00:00.000Z";
const prompt: Frame = { type: "user_message", content: [{ type: "text", text: "Do it" }], time };
const answer = (text: string): Frame[] => [
  { type: "turn_start", step: 1 },
  { type: "assistant_start" },
  { type: "text_delta", delta: text },
  { type: "assistant_message", content: [{ type: "text", text }], time },
];

function listen(first: Frame[] = []) {
  const feed = new SessionFeed("s1");
  const arrive = (...frames: Frame[]) =>
    act(() =>
      feed.store.setState(({ transcript }) => ({ transcript: frames.reduce(foldTranscript, transcript) })),
    );
  feed.store.setState({ transcript: first.reduce(foldTranscript, emptyTranscript) });
  const element = document.createElement("div");
  act(() =>
    createRoot(element).render(
      <FeedContext value={feed}>
        <Announcer />
      </FeedContext>,
    ),
  );
  const textOf = (where: string) => element.querySelector(where)?.textContent;
  return { arrive, announced: () => textOf("[data-announced]"), alarm: () => textOf("[role=alert]") };
}

describe("the announcer", () => {
  it("[Y95] says every answer that came at once, and each from its beginning", () => {
    const { arrive, announced } = listen();
    arrive(prompt, { type: "turn_start", step: 1 });
    arrive(...answer("First, I look."), ...answer("Then I mend."), { type: "text_delta", delta: "Now " });
    expect(announced()).toBe("First, I look. Then I mend.");
    arrive({ type: "done" });
    arrive(prompt, ...answer("Done."), { type: "done" });
    expect(announced()).toBe("Done.");
  });

  it("[Y95] says what goes wrong when it happens, and nothing of what went wrong before", () => {
    const old: Frame[] = [{ type: "error", message: "long ago" }];
    const { arrive, alarm } = listen(old);
    expect(alarm()).toBe("");
    arrive({ type: "error", message: "no such model" });
    expect(alarm()).toBe("Something went wrong. no such model");
    arrive(prompt, { type: "error", message: "out of credit" }, { type: "done" });
    expect(alarm()).toBe("The turn ended with an error. out of credit");
  });
});
