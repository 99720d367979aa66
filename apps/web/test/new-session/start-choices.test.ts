// @vitest-environment happy-dom
// What a new session starts with, and what the directory picker offers.
import { afterEach, describe, expect, it, vi } from "vitest";
import { directoryOptions } from "../../src/new-session/directory/directory-options.ts";
import {
  modelFor,
  recentDirectories,
  rememberChoice,
  suggestedChoice,
} from "../../src/new-session/start-choices.ts";
import { usePreferences } from "../../src/preferences/preferences.ts";
import { listedSession } from "../listed-session.ts";

const known = {
  default_worker: "builtin",
  default_cwd: "/srv/patchbay",
  workers: [
    {
      name: "builtin",
      dialect: "zot",
      available: true,
      capabilities: [],
      models: [{ id: "opus", provider: "anthropic" }],
    },
    { name: "pi", dialect: "pi", available: true, capabilities: [] },
    { name: "gone", dialect: "zot", available: false, capabilities: [] },
  ],
};

/** A browser's storage, also one that refuses. */
function withStorage(refuses = false): void {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (refuses) throw new Error("full");
      kept.set(key, value);
    },
  });
}
afterEach(() => vi.unstubAllGlobals());

describe("what a new session starts with", () => {
  it("[P200] only the very first session is suggested in the server's start directory", () => {
    withStorage();
    expect(suggestedChoice(known, [])).toEqual({ cwd: "/srv/patchbay", worker: "builtin", model: "" });
    const listed = [
      listedSession("a", { updated_at: "2026-01-01T00:00:01Z" }),
      listedSession("b", { updated_at: "2026-01-01T00:00:02Z", cwd: "/w/b", project: "/code/web" }),
    ];
    expect(suggestedChoice(known, listed).cwd).toBe("/code/web");
    rememberChoice({ cwd: "/code/mine", worker: "pi" });
    expect(suggestedChoice(known, listed)).toEqual({ cwd: "/code/mine", worker: "pi", model: "" });
    expect(suggestedChoice(known, []).cwd).toBe("/code/mine"); // all sessions were deleted
    expect(recentDirectories(listed)).toEqual(["/code/mine", "/code/web", "/code/api"]);
  });

  it("[P200] an agent or a model that is gone is not suggested; models are remembered by agent", () => {
    withStorage();
    rememberChoice({ cwd: "/a", worker: "builtin", model: "anthropic/opus" });
    rememberChoice({ cwd: "/b", worker: "gone", model: "x/y" });
    expect(suggestedChoice(known, [])).toEqual({ cwd: "/b", worker: "builtin", model: "anthropic/opus" });
    expect(modelFor({ ...known, workers: [] }, "builtin")).toBe("");
  });

  it("[P200] a browser that stores nothing, or nonsense, gets the suggestions all the same", () => {
    withStorage(true);
    rememberChoice({ cwd: "/a", worker: "pi" });
    expect(suggestedChoice(known, []).worker).toBe("builtin");
    withStorage();
    localStorage.setItem("patchbay.start", "{");
    expect(recentDirectories([])).toEqual([]);
  });
});

describe("with defaults in the settings", () => {
  afterEach(() =>
    usePreferences.getState().prefer({ defaultDirectory: "", defaultAgent: "", defaultModel: "" }),
  );

  it("[P200] they come before what was chosen last, as far as they exist", () => {
    withStorage();
    rememberChoice({ cwd: "/code/mine", worker: "builtin" });
    usePreferences
      .getState()
      .prefer({ defaultDirectory: "~/work", defaultAgent: "gone", defaultModel: "anthropic/opus" });
    expect(suggestedChoice(known, [])).toEqual({ cwd: "~/work", worker: "builtin", model: "anthropic/opus" });
    usePreferences.getState().prefer({ defaultAgent: "pi" });
    expect(suggestedChoice(known, [])).toEqual({ cwd: "~/work", worker: "pi", model: "" });
  });
});

describe("the directory picker", () => {
  const list = {
    directory: "/home/me/code",
    found: { path: "/home/me/code/api", branch: "main" },
    entries: [
      { name: "api", path: "/home/me/code/api", git: true },
      { name: "api-old", path: "/home/me/code/api-old", git: false },
    ],
    more: false,
    home: "/home/me",
  };
  const offered = (query: string) =>
    directoryOptions(query, ["/code/web", "/srv/api"], list).map(({ kind, path }) => `${kind} ${path}`);

  it("[P201] offers recent directories, narrowed by what is typed, and for a path what the server found", () => {
    expect(offered("")).toEqual(["recent /code/web", "recent /srv/api", "browse ~"]);
    expect(offered("API srv")).toEqual(["recent /srv/api"]);
    expect(offered("~/code/api")).toEqual(["named /home/me/code/api", "entry /home/me/code/api-old"]);
    expect(directoryOptions("/x", [], null)).toEqual([]);
  });
});
