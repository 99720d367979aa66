// A hundred random cuts of the socket during one long stream: whatever a viewer had when it was cut, with
// `since` or from a snapshot, it ends with the view of one who was never cut.
import { emptyTranscript, foldTranscript, readFrame, type Transcript } from "@patchbay/protocol";
import type { RunningServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../support/actor.ts";
import { newSeed, randomFrom, wholeLog } from "./observe.ts";

const stream = 200_000;

/** One person's browser, across all its sockets. */
class Wanderer {
  readonly frames = new Map<number, string>();
  transcript: Transcript = emptyTranscript;
  seq = 0;
  readonly #server: RunningServer;
  readonly #session: string;
  #viewer: TestViewer;

  constructor(server: RunningServer, session: string) {
    this.#server = server;
    this.#session = session;
    this.#viewer = this.#open(0);
  }

  /** Goes on until it has seen this frame. */
  async reach(seq: number): Promise<void> {
    await this.#viewer.until(() => this.#viewer.seq >= seq);
    this.#keep();
  }

  cut(withSince: boolean): void {
    this.#viewer.cut();
    this.#keep();
    this.#viewer = this.#open(withSince ? this.seq : undefined);
  }

  async close(): Promise<void> {
    await this.#viewer.close();
  }

  #open(since: number | undefined): TestViewer {
    const from = since === undefined ? {} : { since, transcript: this.transcript };
    return new TestViewer(this.#server.url, this.#server.token, this.#session, from);
  }

  #keep(): void {
    const { frames, seq, transcript } = this.#viewer;
    for (const [index, frame] of frames.entries()) this.frames.set(seq - frames.length + 1 + index, frame);
    if (seq < this.seq) return; // cut before it was told anything
    this.seq = seq;
    this.transcript = transcript;
  }
}

describe("cuts of the socket", () => {
  it("[G1] 100 random cuts during a stream of 200,000 frames: every viewer's view equals the log", {
    timeout: 120_000,
  }, async () => {
    const random = randomFrom(newSeed());
    await using server = await startActor({ limits: { attaches_per_minute: 100_000 } });
    const session = await createSession(server);
    await using driver = await attach(server, session);
    await driver.state("idle");
    driver.countOnly();
    const wanderers = [1, 2, 3, 4].map(() => new Wanderer(server, session));
    await driver.ask({ type: "prompt", message: `flood ${stream} 60` });
    let cuts = 0;
    const wander = async (wanderer: Wanderer) => {
      const places = Array.from({ length: 25 }, () => random(stream)).sort((a, b) => a - b);
      for (const place of places) {
        await wanderer.reach(place);
        wanderer.cut(random(4) > 0);
        cuts++;
      }
    };
    await Promise.all(wanderers.map(wander));
    await driver.until(() => driver.session?.state === "idle");
    expect(cuts).toBe(100);
    const log = await wholeLog(server, session);
    expect(log.length).toBeGreaterThan(stream);
    const folded = log.reduce((transcript, text) => {
      const reading = readFrame(text);
      return reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript;
    }, emptyTranscript);
    for (const wanderer of wanderers) {
      await wanderer.reach(log.length);
      for (const [seq, frame] of wanderer.frames)
        if (log[seq - 1] !== frame) expect(frame, `frame ${seq}`).toBe(log[seq - 1]);
      expect(wanderer.transcript).toEqual(folded);
      await wanderer.close();
    }
  });

  it("[G2] a viewer that was away while the server was killed goes on from its number", async () => {
    await using server = await startActor();
    const viewer = await openSession(server);
    const session = String(viewer.session?.id);
    await using whole = await attach(server, session, { since: 0 });
    await viewer.ask({ type: "prompt", message: "spend 0.000001" });
    await whole.until(() => whole.seq > 500);
    const { seq, transcript } = whole;
    await server.kill();
    await server.start();
    await using back = await attach(server, session, { since: seq, transcript });
    await using fresh = await attach(server, session);
    expect(back.lines[0]).toMatchObject({ type: "attached", verdict: "replay" });
    expect(fresh.lines[0]).toMatchObject({ type: "attached", verdict: "snapshot" });
    expect(back.transcript).toEqual(fresh.transcript);
    expect(back.transcript.marks.some((mark) => mark.kind === "turn" && mark.stop === "interrupted")).toBe(
      true,
    );
  });
});
