// How a worker starts: the token, the choice of a model, and every way it refuses to start.
import { startFakeModel } from "@patchbay/testing/fake-model";
import { startWorker } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig } from "../rig.ts";

describe("the token", () => {
  const env = { ZOTCORE_RPC_TOKEN: "s3cret" };

  it("[W10] other commands are refused until hello with the token, and the worker keeps running", async () => {
    await using worker = startWorker({ env });
    for (const type of ["ping", "prompt", "dance"]) {
      expect(await worker.ask({ type })).toMatchObject({
        command: type,
        success: false,
        error: "auth required: send hello with token first",
      });
    }
    worker.writeRaw("{\n");
    expect(await worker.next((frame) => frame["command"] === "")).toMatchObject({ success: false });
    expect(await worker.ask({ type: "hello", token: "s3cret" })).toMatchObject({ success: true });
    expect(await worker.ask({ type: "ping" })).toMatchObject({ success: true });
  });

  it.each([["wrong"], [undefined]])(
    "[W10] hello with token %s is refused and ends the worker with code 1",
    async (token) => {
      await using worker = startWorker({ env });
      worker.send({ type: "hello", ...(token === undefined ? {} : { token }) });
      worker.send({ type: "ping" });
      expect(await worker.exit).toEqual({ code: 1, signal: null });
      expect(worker.frames).toEqual([expect.objectContaining({ success: false, error: "invalid token" })]);
    },
  );

  it("[W10] a wrong hello after other commands also ends the worker", async () => {
    await using worker = startWorker({ env });
    await worker.ask({ type: "ping" });
    worker.send({ type: "hello", token: "wrong" });
    expect((await worker.exit).code).toBe(1);
  });
});

describe("the choice of a model", () => {
  const chosen = async (args: string[], env: Record<string, string> = {}): Promise<unknown> => {
    await using worker = startWorker({ args, env });
    const { provider, model } = Object(dig(await worker.ask({ type: "hello" }), "data"));
    return `${provider}/${model}`;
  };

  it("[W11] without key and base URL it is the offline demo", async () => {
    expect(await chosen([])).toBe("demo/offline-demo");
  });

  it("[W11] the first provider with a key is chosen; flags beat it", async () => {
    const env = { OPENAI_API_KEY: "k", DEEPSEEK_API_KEY: "k" };
    expect(await chosen([], env)).toBe("openai/gpt-5.5");
    expect(await chosen(["--provider", "deepseek"], env)).toBe("deepseek/deepseek-v4-pro");
    expect(await chosen(["--model", "deepseek-flash"], env)).toBe("deepseek/deepseek-flash");
    expect(await chosen(["--model", "openai/gpt-5-mini"], env)).toBe("openai/gpt-5-mini");
    expect(await chosen(["--provider", "demo"], env)).toBe("demo/offline-demo");
    expect(await chosen([], { GOOGLE_API_KEY: "k" })).toMatch(/^google\//);
    expect(await chosen(["--provider", "anthropic", "--api-key", "k"])).toBe("anthropic/claude-sonnet-5");
  });

  it("[W11] a server of one's own is asked for its models, or they are listed, or one is named", async () => {
    await using fake = await startFakeModel({ models: ["llama-a", "llama-b"] });
    const base = `${fake.baseUrl}/compatible/v1`;
    expect(await chosen([], { OPENAI_COMPATIBLE_BASE_URL: base })).toBe("openai-compatible/llama-a");
    expect(await chosen(["--base-url", base])).toBe("openai-compatible/llama-a");
    expect(
      await chosen([], { OPENAI_COMPATIBLE_BASE_URL: base, OPENAI_COMPATIBLE_MODELS: "mine, other" }),
    ).toBe("openai-compatible/mine");
    expect(await chosen(["--model", "some/thing"], { OPENAI_COMPATIBLE_BASE_URL: base })).toBe(
      "openai-compatible/some/thing",
    );
    const mirror = { OPENAI_COMPATIBLE_BASE_URL: base, OPENAI_COMPATIBLE_MODELS: "gpt-5.5" };
    expect(await chosen(["--model", "gpt-5.5"], mirror)).toBe("openai-compatible/gpt-5.5");
    await using worker = startWorker({ env: { OPENAI_COMPATIBLE_BASE_URL: base } });
    expect(dig(await worker.ask({ type: "get_models" }), "data", "models")).toMatchObject([
      { id: "llama-a" },
      { id: "llama-b" },
    ]);
    expect(await worker.ask({ type: "set_model", model: "llama-b" })).toMatchObject({ success: true });
  });

  it.each([
    [["--provider", "anthropic"], {}, "no credential for anthropic; set ANTHROPIC_API_KEY or pass --api-key"],
    [["--model", "claude-opus-4-5"], {}, "no credential for anthropic"],
    [["--model", "nope"], { OPENAI_API_KEY: "k" }, 'unknown model "nope" (provider="openai")'],
    [["--provider", "nope"], {}, 'unknown provider "nope"'],
    [["--provider", "ollama"], {}, "set OLLAMA_HOST"],
    [["--provider", "openai-compatible"], {}, "set OPENAI_COMPATIBLE_BASE_URL"],
    [["--base-url", "http://127.0.0.1:9/v1"], {}, "cannot be reached; pass --model"],
    [["--reasoning", "huge"], {}, "--reasoning must be one of"],
    [["--max-steps", "0"], {}, "--max-steps must be"],
    [["--tools", "read,fly"], {}, "--tools must be one of"],
    [["--secrets-fd", "1"], {}, "--secrets-fd must be a number above 2"],
    [["--secrets-fd", "77"], {}, "--secrets-fd 77 cannot be read"],
    [["--approvals", "maybe"], {}, "--approvals must be one of"],
    [["--on-eof", "panic"], {}, "--on-eof must be one of"],
    [["--colour"], {}, "--colour"],
    [["--cwd", "/no/such/place"], {}, "/no/such/place is not a directory"],
  ])("[W12] %j with %j: one sentence on stderr, no frame, exit 1", async (args, env, sentence) => {
    await using worker = startWorker({ args, env });
    worker.send({ type: "hello" });
    expect(await worker.exit).toEqual({ code: 1, signal: null });
    expect(worker.frames).toEqual([]);
    expect(worker.stderr).toContain(sentence);
    expect(worker.stderr.trim().split("\n")).toHaveLength(1);
  });

  it("[W13] --list-models prints one JSON line of what can be used here, the demo included", async () => {
    await using fake = await startFakeModel({ models: ["llama-a"] });
    await using worker = startWorker({
      args: ["--list-models"],
      env: {
        DEEPSEEK_API_KEY: "k",
        OLLAMA_HOST: `${fake.baseUrl}/ollama`,
        OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
      },
    });
    expect((await worker.exit).code).toBe(0);
    expect(worker.raw.split("\n")).toHaveLength(2);
    const { models } = JSON.parse(worker.raw);
    expect(models.map((model: { provider: string; id: string }) => `${model.provider}/${model.id}`)).toEqual([
      "deepseek/deepseek-flash",
      "deepseek/deepseek-v4-pro",
      "ollama/llama-a",
      "demo/offline-demo",
    ]);
  });

  it("[W13] --version and --help print and exit", async () => {
    for (const [flag, words] of [
      ["--version", /^\d+\.\d+\.\d+\n$/],
      ["--help", /--on-eof finish\|abort/],
    ] as const) {
      await using worker = startWorker({ args: [flag] });
      expect((await worker.exit).code).toBe(0);
      expect(worker.raw).toMatch(words);
    }
  });
});
