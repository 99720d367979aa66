// @vitest-environment happy-dom
// What the palette finds: every action by its name in the first place, whatever the sessions are called.
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import AppPalette from "../../src/app-palette.tsx";
import { registerFeed } from "../../src/connection/open-feeds.ts";
import { SessionFeed } from "../../src/connection/session-feed.ts";
import { setPaletteQuery, showOverlay } from "../../src/navigation/overlay.ts";
import { rank } from "../../src/palette/rank.ts";
import { useSessionList } from "../../src/session-list/session-list.ts";
import { listedSession } from "../listed-session.ts";

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

/** Names that contain those of actions, or their letters. */
const traps = [
  "Costs of the month",
  "rename costs",
  "Model export",
  "theme settings",
  "compact the context now",
];
const sessions = Array.from({ length: 500 }, (_, index) =>
  listedSession(`s${index}`, {
    name: index < traps.length ? (traps[index] ?? "") : `Session ${index} about costs, files and shortcuts`,
    cwd: `/home/me/code/costs-settings-${index}`,
  }),
);

const options = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const nameOf = (option: HTMLElement | undefined): string =>
  option?.querySelector("span:nth-child(2) > span:first-child")?.textContent ?? "";
const type = (text: string): void => act(() => setPaletteQuery(text));
const press = (key: string): void =>
  act(() => {
    document
      .querySelector("input")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
const active = (): HTMLElement | undefined =>
  options().find((option) => option.getAttribute("aria-selected") === "true");

describe("the palette", () => {
  let leave: () => void;
  let root: ReturnType<typeof createRoot>;

  beforeEach(() => {
    const feed = new SessionFeed("s0");
    feed.store.setState({
      session: listedSession("s0", {
        message_count: 3,
        capabilities: ["compact", "thinking_levels", "commands"],
      }),
    });
    leave = registerFeed(feed);
    useSessionList.setState({ listing: { state: "ready", sessions, deleting: [], stale: null } });
    showOverlay("palette");
    const element = document.body.appendChild(document.createElement("div"));
    root = createRoot(element);
    act(() => root.render(<AppPalette onClose={() => {}} />));
  });

  afterEach(() => {
    act(() => root.unmount());
    document.body.replaceChildren();
    leave();
    showOverlay(null);
    useSessionList.setState({ listing: { state: "loading" } });
  });

  it("[P280] has every action in the first place when its name is typed, with 500 sessions there", () => {
    const actions = options()
      .filter((option) => !option.id.includes("-session-s"))
      .map(nameOf);
    expect(actions).toEqual(
      expect.arrayContaining(["Costs", "Rename", "Files and changes", "Settings", "Model…"]),
    );
    for (const name of actions) {
      type(name.toLowerCase().replace("…", ""));
      expect(nameOf(options()[0]), name).toBe(name);
      expect(active(), name).toBe(options()[0]);
    }
  });

  it("[P280] lays out the sessions that fit best, not all of them", () => {
    type("about costs");
    const found = options().filter((option) => option.id.includes("-session-s"));
    expect(found.length).toBeGreaterThan(20);
    expect(found.length).toBeLessThanOrEqual(40);
  });

  it("[P281] moves by the arrow keys, beyond its ends too, and begins anew with another query", () => {
    const all = options();
    press("ArrowUp");
    expect(active()).toBe(all.at(-1));
    press("ArrowDown");
    press("ArrowDown");
    expect(nameOf(active())).toBe(nameOf(all[1]));
    type("co");
    expect(active()).toBe(options()[0]);
    expect(document.querySelector("input")?.getAttribute("aria-activedescendant")).toBe(active()?.id);
  });
});

describe("what fits a query", () => {
  const action = (name: string, ...keywords: string[]) => ({ name, keywords, kind: "action" as const });
  const session = (name: string, ...keywords: string[]) => ({ name, keywords, kind: "session" as const });

  it("[P280] is an action by its name before a session, and a session by its name before an action by its letters", () => {
    const order = [
      action("Export…"),
      action("Export all"),
      action("Quick export"),
      session("export"),
      session("Export the data"),
      action("Save", "export"),
      session("notes", "/home/me/export"),
      action("Every xylophone plays our right tune"),
    ];
    const scores = order.map((one) => rank("export", one));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
    expect(scores.at(-1)).toBeGreaterThan(0);
  });

  it("does not count case, accents or the order of the words; a session needs more than its letters", () => {
    expect(rank("uberblick", action("Überblick"))).toBe(100);
    expect(rank("all search", action("Search all transcripts"))).toBeGreaterThan(0);
    expect(rank("fly", session("fix flaky"))).toBe(0);
    expect(rank("zzz", action("Costs"))).toBe(0);
    expect(rank(" ", session("anything"))).toBe(1);
  });
});
