// @vitest-environment happy-dom
// What is written in the composer, and which of it is a command; which keys a panel is given.

import {
  emptyTranscript,
  type Frame,
  foldTranscript,
  type SessionInfo,
  type SlashCommandInfo,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { pageCommandIn, withPageCommands } from "../../src/composer/completion/page-commands.ts";
import { commandIn, completions } from "../../src/composer/completion/use-commands.ts";
import { SessionFeed } from "../../src/connection/session-feed.ts";
import { panelKey } from "../../src/extension-ui/panel-keys.ts";
import { listedSession } from "../listed-session.ts";

const command = (name: string, description = ""): SlashCommandInfo => ({ name, description, source: "test" });
const commands = [
  command("review", "Look at a change"),
  command("reload-ext"),
  command("skill:pdf", "Portable documents"),
];

describe("slash commands", () => {
  it("are offered by the beginning of their name, then by what is in it", () => {
    const names = (text: string) => completions(text, commands)?.map(({ name }) => name);
    expect(names("/")).toEqual(["reload-ext", "review", "skill:pdf"]);
    expect(names("/re")).toEqual(["reload-ext", "review"]);
    expect(names("/pdf")).toEqual(["skill:pdf"]);
    expect(names("/change")).toEqual(["review"]);
    expect(names("/none")).toEqual([]);
  });

  it("are not offered once there are arguments, or without a slash at the beginning", () => {
    for (const text of ["/review ", "see /re", "", "plain"]) expect(completions(text, commands)).toBeNull();
    expect(completions("/", [])).toBeNull();
  });

  it("are known ones only; anything else is a prompt", () => {
    expect(commandIn("/review a b", commands)).toBe("review");
    expect(commandIn("/review\nmore", commands)).toBe("review");
    for (const text of ["/etc/hosts is broken", "/rev", "review", " /review"])
      expect(commandIn(text, commands)).toBeNull();
  });
});

describe("commands of the page", () => {
  const session = listedSession("s1", { capabilities: ["compact"] });
  const prompted: Frame = { type: "user_message", content: [{ type: "text", text: "Do it" }], time: "" };
  /** With so many messages. */
  const place = (messages: number, change: Partial<SessionInfo> = {}) => {
    const feed = new SessionFeed("s1");
    const shown = { ...session, ...change };
    const transcript = Array.from({ length: messages }, () => prompted).reduce(
      foldTranscript,
      emptyTranscript,
    );
    feed.store.setState({ session: shown, transcript });
    return { session: shown, feed };
  };
  const names = (ofAgent: SlashCommandInfo[], messages = 9) =>
    withPageCommands(ofAgent, place(messages))
      .filter(({ source }) => source === "Patchbay")
      .map(({ name }) => name);

  it("[P286] are offered beside those of the agent, whose own command of the same name is meant", () => {
    expect(names([])).toEqual(
      expect.arrayContaining("help compact clear model export rename diff files costs".split(" ")),
    );
    expect(names([command("compact"), command("review")])).not.toContain("compact");
    expect(pageCommandIn("/compact", [command("compact")])).toBeNull();
    expect(pageCommandIn("/compact", [command("review")])).not.toBeNull();
  });

  it("[P286] are not offered where they cannot be carried out, and say why when they are written", () => {
    expect(names([], 1)).not.toContain("compact");
    expect(names([])).not.toContain("stop");
    const run = (text: string, where = place(1)) => pageCommandIn(text, [])?.run(where);
    expect(run("/compact")).toBe("There is nothing to compact yet.");
    expect(run("/compact", place(9, { capabilities: [] }))).toBe("This agent does not offer that.");
    expect(run("/stop")).toBe("The agent is not working.");
    expect(run("/help me")).toContain("/help is used on its own.");
  });

  it("[P286] are exact: paths and other texts are prompts", () => {
    for (const text of [
      "/files/x",
      "/costs/budgets",
      "/file",
      "files",
      "see /files",
      "/Help",
      "/constructor",
    ])
      expect(pageCommandIn(text, [])).toBeNull();
  });
});

describe("a panel's keys", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

  it("have zot's names", () => {
    expect(panelKey({ ...plain, key: "ArrowUp" })).toEqual({ key: "up" });
    expect(panelKey({ ...plain, key: "PageDown" })).toEqual({ key: "pagedown" });
    expect(panelKey({ ...plain, key: "ü" })).toEqual({ key: "rune", text: "ü" });
    expect(panelKey({ ...plain, key: "🎛", shiftKey: true })).toEqual({ key: "rune", text: "🎛" });
    expect(panelKey({ ...plain, key: " " })).toEqual({ key: "rune", text: " " });
  });

  it("leave the browser its own, and the way out", () => {
    expect(panelKey({ ...plain, key: "r", ctrlKey: true })).toBeNull();
    expect(panelKey({ ...plain, key: "Tab", shiftKey: true })).toBeNull();
    expect(panelKey({ ...plain, key: "F5" })).toBeNull();
    expect(panelKey({ ...plain, key: "Shift" })).toBeNull();
  });
});
