// Testing a key: what the provider answers, in words that a person can act on.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelProviders } from "../../../src/machine/keys/model-providers.ts";
import { testKey } from "../../../src/machine/keys/test-key.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const attempt = async (name: string, base: string, key?: string, limitMs?: number) => {
  const provider = modelProviders.find((known) => known.name === name);
  if (provider === undefined) throw new Error(name);
  return testKey({ provider, base, key }, limitMs);
};

describe("testing a key", () => {
  it("[X223] asks the provider for its models, with the key in a header and never in the address", async () => {
    const seen: string[] = [];
    const base = await serve((request, response) => {
      const { authorization, "x-api-key": anthropic, "x-goog-api-key": google } = request.headers;
      seen.push(`${request.url} ${String(authorization ?? anthropic ?? google ?? "no key")}`);
      response.end(JSON.stringify(google === undefined ? { data: [{}, {}] } : { models: [{}, {}] }));
    });
    for (const { name } of modelProviders)
      expect(await attempt(name, base, name === "ollama" ? undefined : "k")).toEqual({
        outcome: "works",
        host: new URL(base).host,
        status: 200,
        models: 2,
      });
    expect(seen).toEqual([
      "/v1/models k",
      "/models Bearer k",
      "/models k",
      "/models Bearer k",
      "/models Bearer k",
      "/v1/models no key",
    ]);
  });

  it.each([
    [401, "refused"],
    [403, "refused"],
    [404, "unchecked"],
    [429, "failed"],
    [500, "failed"],
    [302, "failed"],
  ] as const)("[X223] the status %i is told as %s", async (status, outcome) => {
    let followed = 0;
    const base = await serve((request, response) => {
      if (request.url === "/elsewhere") followed++;
      response.writeHead(status, { location: "/elsewhere" }).end("a secret of that host");
    });
    const found = await attempt("openai", base, "k");
    expect(found).toEqual({ outcome, host: new URL(base).host, status });
    expect(followed).toBe(0);
  });

  it("[X223] is bounded: what is slow, endless or something else is told so", async () => {
    const slow = await serve(() => {});
    expect(await attempt("openai", slow, "k", 50)).toMatchObject({ outcome: "slow" });
    const page = await serve((_request, response) => response.end("<html>"));
    expect(await attempt("openai", page, "k")).toMatchObject({ outcome: "strange", status: 200 });
    const endless = await serve((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(64 * 1024, " ")));
      };
      response.on("drain", more);
      more();
    });
    expect(await attempt("openai", endless, "k")).toMatchObject({ outcome: "strange" });
    expect(await attempt("openai", "http://127.0.0.1:1", "k")).toEqual({
      outcome: "unreachable",
      host: "127.0.0.1:1",
    });
  });
});
