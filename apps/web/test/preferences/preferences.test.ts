// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";

/** A page that is loaded now. */
async function load() {
  vi.resetModules();
  return (await import("../../src/preferences/preferences.ts")).usePreferences;
}

afterEach(() => localStorage.clear());

describe("preferences", () => {
  it("[P220] are kept in this browser, and the density is applied at once", async () => {
    const before = await load();
    expect(before.getState().sendKey).toBe("enter");
    expect(document.documentElement.dataset["density"]).toBe("comfortable");
    before.getState().prefer({ sendKey: "mod-enter", density: "compact", defaultModel: "openai/gpt-5.5" });
    expect(document.documentElement.dataset["density"]).toBe("compact");
    const after = (await load()).getState();
    expect([after.sendKey, after.density, after.defaultModel, after.defaultAgent]).toEqual([
      ...["mod-enter", "compact", "openai/gpt-5.5", ""],
    ]);
  });

  it("[P220] that cannot be read are the defaults, one by one", async () => {
    localStorage.setItem("patchbay.preferences", '{"sendKey":"space","defaultDirectory":"/srv"}');
    const { sendKey, defaultDirectory } = (await load()).getState();
    expect([sendKey, defaultDirectory]).toEqual(["enter", "/srv"]);
    localStorage.setItem("patchbay.preferences", "not json");
    expect((await load()).getState().defaultDirectory).toBe("");
  });

  it("[P220] of another tab hold here too", async () => {
    const page = await load();
    localStorage.setItem("patchbay.preferences", '{"density":"compact"}');
    dispatchEvent(new StorageEvent("storage", { key: "patchbay.preferences" }));
    expect(page.getState().density).toBe("compact");
    expect(document.documentElement.dataset["density"]).toBe("compact");
  });
});

describe("the send key", () => {
  const press = (keys: { shift?: boolean; mod?: boolean; key?: string }) => ({
    key: keys.key ?? "Enter",
    shiftKey: keys.shift === true,
    ctrlKey: keys.mod === true,
    metaKey: false,
  });

  it("[P221] decides what Enter means", async () => {
    const { enterMeaning, sendKeyNames } = await import("../../src/preferences/send-key.ts");
    const meanings = (sendKey: "enter" | "mod-enter") =>
      [...[{}, { shift: true }, { mod: true }, { mod: true, shift: true }, { key: "a", mod: true }]].map(
        (keys) => enterMeaning(press(keys), sendKey),
      );
    expect(meanings("enter")).toEqual(["send", null, "steer", null, null]);
    expect(meanings("mod-enter")).toEqual([null, null, "send", "steer", null]);
    expect(sendKeyNames("enter").send).toBe("⏎");
    expect(sendKeyNames("mod-enter").newLine).toBe("⏎");
  });
});
