// The keys of model providers that a person enters in the page: how they are kept, who gets them, and where they are not sent.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { describe, expect, it } from "vitest";
import { ProviderKeys } from "../../../src/machine/keys/provider-keys.ts";

const key = "sk-ant-a-key-that-nobody-else-has-1234";

const open = (home: string, environment: Record<string, string> = {}, failures: unknown[] = []) =>
  ProviderKeys.open({ home, environment, onUnreadable: (error) => failures.push(error) });

const builtin = { name: "builtin", env: [] };
const claude = { name: "claude", env: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"] };
const zot = { name: "zot", env: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] };

const viewOf = (keys: ProviderKeys, name: string) =>
  keys.view([claude, zot]).providers.find((provider) => provider.name === name);

describe("kept keys", () => {
  it("[X220] are encrypted in the home, in files that only its owner reads", async () => {
    const home = temporaryDirectory("keys");
    const keys = await open(home);
    await keys.update("anthropic", { key });
    for (const name of ["provider-keys.json", "provider-keys.secret"]) {
      expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
      const text = readFileSync(join(home, name), "utf8");
      expect(text).not.toContain(key);
      expect(text).not.toContain(Buffer.from(key).toString("base64").slice(4, 20));
    }
    const again = await open(home);
    expect(again.environmentFor(builtin, {})).toEqual({ ANTHROPIC_API_KEY: key });
    expect(viewOf(again, "anthropic")?.key).toEqual({ from: "page", ending: "1234" });
    expect(JSON.stringify(again.view([]))).not.toContain(key.slice(0, 12));
    await again.remove("anthropic");
    expect((await open(home)).environmentFor(builtin, {})).toEqual({});
  });

  it("[X220] that were changed, or whose secret is gone, are refused, and can be entered again", async () => {
    const home = temporaryDirectory("keys");
    await (await open(home)).update("anthropic", { key });
    const path = join(home, "provider-keys.json");
    const sealed = JSON.parse(readFileSync(path, "utf8")) as { data: string };
    const first = sealed.data.startsWith("A") ? "B" : "A";
    writeFileSync(path, JSON.stringify({ ...sealed, data: first + sealed.data.slice(1) }));
    const failures: unknown[] = [];
    const changed = await open(home, {}, failures);
    expect(failures).toHaveLength(1);
    expect(changed.view([]).problem).toContain("Enter the keys again.");
    expect(changed.environmentFor(builtin, {})).toEqual({});
    writeFileSync(join(home, "provider-keys.secret"), "");
    await changed.update("anthropic", { key });
    const mended = await open(home, {}, failures);
    expect(failures).toHaveLength(1);
    expect(mended.view([]).problem).toBeUndefined();
    expect(mended.environmentFor(builtin, {})).toEqual({ ANTHROPIC_API_KEY: key });
  });

  it("[X221] of a few characters are not shown at all", async () => {
    const keys = await open(temporaryDirectory("keys"));
    await keys.update("openai", { key: "short" });
    expect(viewOf(keys, "openai")?.key).toEqual({ from: "page" });
  });
});

describe("the environment", () => {
  const environment = {
    ANTHROPIC_API_KEY: "of the environment",
    ANTHROPIC_BASE_URL: "https://person:secret@gateway.test/anthropic/",
    OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_COMPATIBLE_API_KEY: "of the environment too",
    OPENAI_COMPATIBLE_MODELS: "mine",
  };

  it("[W220] is used unless the page has a value; it says which one counts", async () => {
    const keys = await open(temporaryDirectory("keys"), environment);
    expect(viewOf(keys, "anthropic")).toMatchObject({
      key: { from: "environment" },
      base_url: { from: "environment", url: "https://gateway.test/anthropic" },
      unused: [],
    });
    await keys.update("anthropic", { key });
    expect(viewOf(keys, "anthropic")).toMatchObject({
      key: { from: "page" },
      base_url: { from: "environment" },
      unused: ["ANTHROPIC_API_KEY"],
    });
    expect(keys.environmentFor(builtin, environment)).toMatchObject({
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: environment.ANTHROPIC_BASE_URL,
    });
    await keys.remove("anthropic");
    expect(keys.environmentFor(builtin, environment)).toEqual(environment);
  });

  it("[X222] gives no key to an address of the page", async () => {
    const keys = await open(temporaryDirectory("keys"), environment);
    await keys.update("openai-compatible", { base_url: "http://127.0.0.1:8000/v1/" });
    const given = keys.environmentFor(builtin, environment);
    expect(given["OPENAI_COMPATIBLE_BASE_URL"]).toBe("http://127.0.0.1:8000/v1");
    expect(given).not.toHaveProperty("OPENAI_COMPATIBLE_API_KEY");
    expect(given).not.toHaveProperty("OPENAI_COMPATIBLE_MODELS");
    await expect(async () =>
      keys.update("anthropic", { base_url: "https://elsewhere.test" }),
    ).rejects.toThrow("Enter a key.");
    const elsewhere = { base_url: "https://elsewhere.test" };
    expect(() => keys.forTest("anthropic", elsewhere)).toThrow("Enter the key too");
    expect(keys.forTest("anthropic", { ...elsewhere, key }).key).toBe(key);
    expect(keys.forTest("openai-compatible", elsewhere).key).toBeUndefined();
  });

  it("[X222] a key that is kept for one address is not sent to another", async () => {
    const keys = await open(temporaryDirectory("keys"));
    await keys.update("openai", { key, base_url: "https://one.test/v1" });
    await expect(keys.update("openai", { base_url: "https://other.test/v1" })).rejects.toThrow(
      "Enter the key too",
    );
    await expect(keys.update("openai", { base_url: "" })).rejects.toThrow("Enter the key too");
    expect(() => keys.forTest("openai", { base_url: "" })).toThrow("Enter the key too");
    await keys.update("openai", { base_url: "https://one.test/v1/", shared: true }); // the same
    expect(keys.forTest("openai", {})).toMatchObject({ base: "https://one.test/v1", key });
  });

  it.each([
    "ftp://models.test",
    "file:///etc/passwd",
    "models.test/v1",
    "http://",
    "https://me:secret@models.test",
    "https://models.test/v1?key=secret",
    "https://models.test/v1#x",
  ])("[X222] %s is no base URL", async (base_url) => {
    const keys = await open(temporaryDirectory("keys"));
    await expect(keys.update("openai-compatible", { base_url })).rejects.toThrow(/^A base URL /);
    expect(() => keys.forTest("openai-compatible", { base_url })).toThrow(/^A base URL /);
  });
});

describe("other agents", () => {
  it("[W221] get a key of the page only if a person shares it and their profile asks for it", async () => {
    const keys = await open(temporaryDirectory("keys"));
    await keys.update("anthropic", { key });
    expect(keys.environmentFor(claude, { HOME: "/h" })).toEqual({ HOME: "/h" });
    expect(viewOf(keys, "anthropic")).toMatchObject({ shared: false, asked_by: ["claude", "zot"] });
    await keys.update("anthropic", { shared: true });
    expect(keys.environmentFor(claude, {})).toEqual({ ANTHROPIC_API_KEY: key });
    expect(keys.environmentFor({ name: "codex", env: ["OPENAI_API_KEY"] }, {})).toEqual({});
    // The key of a gateway is of no use, and not for the eyes of another host.
    await keys.update("anthropic", { key, base_url: "https://gateway.test" });
    expect(keys.environmentFor(zot, {})).toEqual({});
    expect(keys.environmentFor(claude, {})).toEqual({
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: "https://gateway.test",
    });
  });
});
