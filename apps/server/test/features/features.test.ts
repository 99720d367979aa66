// Features can be left out: the server works without any of them, and each adds exactly what it says.
import { LocalPeer } from "@patchbay/testing/local-peer";
import { fixtureWorker } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { allFeatures } from "../../src/features/all-features.ts";
import type { Feature } from "../../src/features/feature.ts";
import { localSocketFeature } from "../../src/features/local-socket.ts";
import { openApp } from "../support/app-in-process.ts";

const open = (features: readonly Feature[]) =>
  openApp({
    features,
    config: {
      defaultWorker: "actor",
      workers: {
        actor: { dialect: "zot", command: fixtureWorker("actor"), env: [] },
      },
    },
  });

type Opened = Awaited<ReturnType<typeof open>>;

const callsOf = ({ app }: Opened): string[] =>
  app
    .routes()
    .filter(({ method, url }) => method !== "HEAD" && !url.includes("*"))
    .map(({ method, url }) => `${method} ${url}`);

/** Of the local socket. */
async function methodsOf({ app }: Opened): Promise<string[]> {
  await app.localSocket?.listen();
  await using peer = new LocalPeer(app.localSocket?.path ?? "");
  const { capabilities } = await peer.ask("initialize", { protocol_version: 1 });
  return capabilities as string[];
}

async function prompt({ app, url, token }: Opened): Promise<string> {
  const { id } = await app.hub.create({});
  await using viewer = new TestViewer(url, token, id);
  await viewer.caughtUp();
  await viewer.ask({ type: "prompt", message: "say it works" });
  await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
  return JSON.stringify(viewer.transcript.messages.at(-1));
}

describe("features", () => {
  it("[Z126] a server without any of them runs a session", async () => {
    await using server = await open([]);
    expect(server.app.localSocket).toBeUndefined();
    expect(await prompt(server)).toContain("it works");
    await expect(server.app.hub.create({ import: { program: "pi", session: "any" } })).rejects.toThrow(
      "Importing sessions of other programs is turned off on this server.",
    );
  });

  it.each(allFeatures)("[Z126] without $name the server works, and lacks what that adds", async (left) => {
    await using server = await open(allFeatures.filter((feature) => feature !== left));
    expect(await prompt(server)).toContain("it works");
    const others = allFeatures.filter((feature) => feature !== left).flatMap(({ adds }) => adds);
    const routes = callsOf(server);
    for (const call of left.adds) expect(routes).not.toContain(call);
    for (const call of others.filter((each) => each.includes("/api/"))) expect(routes).toContain(call);
  });

  it("[Z126] each adds the calls that it names, and no other", async () => {
    await using bare = await open([localSocketFeature]);
    await using whole = await open(allFeatures);
    const before = new Set([...callsOf(bare), ...(await methodsOf(bare))]);
    const added = [...callsOf(whole), ...(await methodsOf(whole))].filter((call) => !before.has(call));
    expect(added.sort()).toEqual(allFeatures.flatMap(({ adds }) => adds).sort());
  });
});
