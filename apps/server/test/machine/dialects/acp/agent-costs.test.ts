// Costs that an agent reports as a sum over its session: each dollar is charged once, whatever happens in between.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentSession } from "../../../../src/machine/dialects/acp/conversation/agent-session.ts";
import type { OutputFrame } from "../../../../src/machine/dialects/frame-writer.ts";

describe("sums that agents report", () => {
  /** Reports a sum to the session and returns what is charged for it. */
  const report = (session: AgentSession, amount: number | undefined): number => {
    session.apply({
      sessionUpdate: "usage_update",
      used: 10,
      ...(amount === undefined ? {} : { cost: { amount, currency: "USD" } }),
    });
    return charge(session);
  };
  const charge = (session: AgentSession): number =>
    session
      .charge({ figures: undefined, isCommand: false, isAnswered: false, isStopped: false, calls: 1 })
      .reduce((sum, frame) => sum + Math.round(Number(frame["cost_usd"] ?? 0) * 1e9), 0);

  it("[U5] repeated, replayed or restarted, are charged once, to the nano-dollar", () => {
    const steps = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant("spend"),
            nanos: fc.integer({ min: 1, max: 5_000_000_000 }),
          }),
        },
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constantFrom("repeat", "stale", "lost", "restart", "restart and replay"),
          }),
        },
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (given) => {
        let agent = 0;
        let charged = 0;
        let session = new AgentSession("s", "agent", {});
        for (const step of given) {
          if ("nanos" in step) {
            agent += step.nanos;
            charged += report(session, agent / 1e9);
          } else if (step.kind === "repeat") charged += report(session, agent / 1e9);
          else if (step.kind === "stale") charged += report(session, agent / 2e9);
          else if (step.kind === "lost")
            agent += 1_000; // spent, and the process died before it was reported
          else {
            const loading = new AgentSession("s", "agent", {});
            if (step.kind === "restart and replay")
              loading.apply({
                sessionUpdate: "usage_update",
                used: 1,
                cost: { amount: agent / 1e9, currency: "USD" },
              });
            session = new AgentSession("s", "agent", {});
            session.adoptFrom(loading, charged / 1e9);
            charged += charge(session);
            charged += report(session, agent / 1e9);
          }
        }
        charged += report(session, agent / 1e9);
        expect(charged).toBe(agent);
      }),
      { numRuns: 500 },
    );
  });

  it("[U5] an agent that counts from 0 after a restart is charged what it then reports", () => {
    const session = new AgentSession("s", "agent", {});
    session.adoptFrom(new AgentSession("s", "agent", {}), 2);
    expect([report(session, 0.5), report(session, 0.5), report(session, 0.75)]).toEqual([
      500_000_000, 0, 250_000_000,
    ]);
  });

  describe("of a stopped turn", () => {
    /** A session after a turn that had a price, in the next turn. */
    const priced = (): AgentSession => {
      const session = new AgentSession("s", "agent", {});
      expect(report(session, 1)).toBe(1_000_000_000);
      session.promptStarts();
      return session;
    };
    const prompt = { figures: undefined, isCommand: false, isAnswered: true, isStopped: true, calls: 1 };
    const unpriced = (frames: readonly OutputFrame[]) =>
      frames.reduce((sum, frame) => sum + Number(frame["unpriced"] ?? 0), 0);
    const spend = (session: AgentSession, amount: number) =>
      session.apply({ sessionUpdate: "usage_update", used: 10, cost: { amount, currency: "USD" } });

    it("[I30] the call without a figure has an unknown price, also before it has shown something", () => {
      expect(unpriced(priced().charge(prompt))).toBe(1);
      expect(unpriced(priced().charge({ ...prompt, isAnswered: false }))).toBe(1);
      expect(unpriced(priced().charge({ ...prompt, figures: [] }))).toBe(1);
      expect(unpriced(priced().charge({ ...prompt, purpose: "compaction" }))).toBe(1);
      expect(priced().charge({ ...prompt, isStopped: false })).toEqual([]);
      expect(priced().charge({ ...prompt, isCommand: true, isAnswered: false })).toEqual([]);
    });

    it("[I30] a call whose cost was reported is not counted again, one after it is", () => {
      const inTool = priced();
      spend(inTool, 2);
      expect(inTool.chargeShown(1)).not.toEqual([]);
      expect(inTool.charge(prompt)).toEqual([]);

      const inSecond = priced();
      spend(inSecond, 2);
      inSecond.chargeShown(1);
      expect(unpriced(inSecond.charge({ ...prompt, calls: 2 }))).toBe(1);

      const atEnd = priced();
      spend(atEnd, 2);
      expect(unpriced(atEnd.charge(prompt))).toBe(0);
    });
  });
});
