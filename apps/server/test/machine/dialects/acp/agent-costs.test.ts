// Costs that an agent reports as a sum over its session: each dollar is charged once, whatever happens in between.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentSession } from "../../../../src/machine/dialects/acp/conversation/agent-session.ts";

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
      .charge({ figures: undefined, isCommand: false, isAnswered: false, calls: 1 })
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
});
