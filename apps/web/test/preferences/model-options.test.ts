// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { modelOptions } from "../../src/preferences/model-options.ts";
import { recentModels, rememberModel } from "../../src/preferences/recent-models.ts";

afterEach(() => localStorage.clear());

const many = Array.from({ length: 9 }, (_, index) => ({ provider: "openai", id: `gpt-${index}` }));

describe("the list of models", () => {
  it("[P223] has recent ones first, then providers, with price and context", () => {
    rememberModel("anthropic/claude-x");
    rememberModel("openai/gpt-3");
    rememberModel("gone/model");
    const claude = {
      provider: "anthropic",
      id: "claude-x",
      context_window: 200_000,
      price: { input: 3, output: 15 },
    };
    const options = modelOptions([...many.slice(0, 5), claude, ...many.slice(5)], "Recent");
    expect(options.slice(0, 3).map(({ group, value }) => [group, value])).toEqual([
      ["Recent", "openai/gpt-3"],
      ["Recent", "anthropic/claude-x"],
      ["OpenAI", "openai/gpt-0"],
    ]);
    expect(options.slice(2, 11).every(({ group }) => group === "OpenAI")).toBe(true);
    expect(options.at(-1)).toMatchObject({ group: "Anthropic", detail: "$3 / $15 · 200k" });
  });

  it("[P223] says what is free, and nothing where a price is not known", () => {
    const [free, unknown, small] = modelOptions(
      [
        { provider: "demo", id: "offline-demo", price: { input: 0, output: 0 } },
        { provider: "ollama", id: "llama", context_window: 0 },
        { provider: "google", id: "flash", price: { input: 0.075, output: 1.25 } },
      ],
      "Recent",
    );
    expect([free?.detail, unknown?.detail, small?.detail]).toEqual(["free", "", "$0.075 / $1.25"]);
  });

  it("remembers five, each once", () => {
    for (const id of ["1", "2", "3", "4", "5", "6", "2"]) rememberModel(`p/${id}`);
    expect(recentModels()).toEqual(["p/2", "p/6", "p/5", "p/4", "p/3"]);
    localStorage.setItem("patchbay.models", "{");
    expect(recentModels()).toEqual([]);
  });
});
