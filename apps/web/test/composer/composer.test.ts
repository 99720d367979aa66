// What is written in the composer, and which of it is a command; which keys a panel is given.

import type { SlashCommandInfo } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { commandIn, completions } from "../../src/composer/completion/use-commands.ts";
import { panelKey } from "../../src/extension-ui/panel-keys.ts";

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
