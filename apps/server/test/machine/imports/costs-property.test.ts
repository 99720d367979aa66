// Files grow, are copied, torn and imported in any order, and logs contain some of the same calls: in the end the
// ledger is the sum of the calls there were.
import fc from "fast-check";
import { expect, it } from "vitest";
import { importCosts } from "../../../src/costs/imports/import-costs.ts";
import { piCallKey } from "../../../src/machine/dialects/pi/wire/call-key.ts";
import { localImports } from "../../../src/machine/local-machine.ts";
import type { Store } from "../../../src/store/store.ts";
import { type OpenStore, openStore } from "../../support/open-store.ts";
import { Outside, prices } from "./outside.ts";

const file = fc.constantFrom("a", "b");
const call = fc.nat({ max: 5 });
const Step = fc.oneof(
  fc.record({ do: fc.constant("pi" as const), file, call }),
  fc.record({
    do: fc.constant("claude" as const),
    file,
    call,
    output: fc.integer({ min: 1, max: 50 }),
    // A copy may have another request's id, or none.
    request: fc.constantFrom("q", "another", undefined),
  }),
  fc.record({
    do: fc.constant("garbage" as const),
    file,
    text: fc.constantFrom("{", "null", '{"type":"message"}'),
  }),
  fc.record({ do: fc.constant("tear" as const), file, call }),
  fc.record({ do: fc.constant("log" as const), call }),
  fc.record({ do: fc.constantFrom("import" as const, "try" as const, "restart" as const) }),
);
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

/** Call `n` of pi: the same in every file. */
const piMessage = (n: number) => ({
  role: "assistant",
  content: [],
  provider: "fake",
  model: `m${n % 2}`,
  timestamp: 1_000 + n,
  responseId: `r${n}`,
  usage: { input: 100 + n, output: n, cacheRead: 0, cacheWrite: n, cost: { total: (n + 1) / 1e4 } },
});
const piLine = (n: number): string =>
  JSON.stringify({
    type: "message",
    id: `e${n}`,
    timestamp: new Date(n * 1e6).toISOString(),
    message: piMessage(n),
  });
const claudeLine = (n: number, output: number, request: string | undefined): string =>
  JSON.stringify({
    type: "assistant",
    sessionId: "s",
    timestamp: new Date(n * 1e6).toISOString(),
    ...(request === undefined ? {} : { requestId: `${request}${n}` }),
    message: { id: `c${n}`, model: "claude", usage: { input_tokens: 7, output_tokens: output } },
  });

const importAll = (store: Store, outside: Outside, dryRun: boolean) =>
  importCosts({ store, imports: localImports(outside.environment), prices, dryRun });

async function carryOut(step: Step, opened: OpenStore, outside: Outside, truth: Truth): Promise<void> {
  switch (step.do) {
    case "pi":
      truth.pi.add(step.call);
      return outside.append("pi", step.file, `${piLine(step.call)}\n`);
    case "claude":
      truth.claude.set(step.call, Math.max(step.output, truth.claude.get(step.call) ?? 0));
      return outside.append("claude", step.file, `${claudeLine(step.call, step.output, step.request)}\n`);
    case "garbage":
      return outside.append("pi", step.file, `${step.text}\n`);
    case "tear":
      // An import finds half a line; then the rest comes.
      outside.append("pi", step.file, piLine(step.call).slice(0, 40));
      await importAll(opened.store, outside, false);
      truth.pi.add(step.call);
      return outside.append("pi", step.file, `${piLine(step.call).slice(40)}\n`);
    case "log": {
      if (truth.logged.has(step.call)) return;
      truth.logged.add(step.call);
      truth.pi.add(step.call);
      const { usage, model, provider } = piMessage(step.call);
      const { input, output, cacheWrite: cache_write } = usage;
      return opened.store.record([
        {
          ...{
            session: "ours",
            seq: truth.logged.size,
            time: new Date(step.call * 1e6).toISOString(),
            turn: 1,
          },
          ...{ person: "", cwd: "/", branch: "", worker: "pi", provider, model },
          ...{ input, output, cache_read: 0, cache_write, thinking: 0 },
          ...{
            cost_nanos: Math.round(usage.cost.total * 1e9),
            price: "worker",
            call: piCallKey(piMessage(step.call)),
          },
        },
      ]);
    }
    case "import":
    case "try":
      await importAll(opened.store, outside, step.do === "try");
      return;
    case "restart":
      await opened.reopen();
  }
}

interface Truth {
  pi: Set<number>;
  claude: Map<number, number>;
  logged: Set<number>;
}

it("[Y49] any interleaving of growth, copies, imports, logs and restarts gives the sum of the calls there were", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 14 }), async (steps) => {
      using outside = new Outside();
      await using opened = await openStore();
      for (const name of ["a", "b"]) {
        outside.write("pi", name, `{"type":"session","id":"${name}","cwd":"/c"}\n`);
        outside.write("claude", name, "");
      }
      const truth: Truth = { pi: new Set(), claude: new Map(), logged: new Set() };
      for (const step of steps) await carryOut(step, opened, outside, truth);
      await importAll(opened.store, outside, false);
      const calls = [...truth.pi].map((n) => piMessage(n).usage);
      const output = [...truth.claude.values()].reduce((sum, n) => sum + n, 0);
      const expected = {
        calls: calls.length + truth.claude.size,
        input: calls.reduce((sum, { input }) => sum + input, 7 * truth.claude.size),
        output: calls.reduce((sum, usage) => sum + usage.output, output),
        nanos: calls.reduce((sum, { cost }) => sum + Math.round(cost.total * 1e9), 0),
        unpriced: truth.claude.size,
      };
      for (const groupBy of [[], ["model"], ["session"]] as const) {
        const rows = await opened.store.queryLedger({ groupBy });
        const sum = (of: (usage: (typeof rows)[number]["usage"]) => number): number =>
          rows.reduce((total, { usage }) => total + of(usage), 0);
        expect({
          calls: sum(({ calls }) => calls),
          input: sum(({ input }) => input),
          output: sum(({ output }) => output),
          nanos: sum(({ cost_usd }) => Math.round(cost_usd * 1e9)),
          unpriced: sum(({ unpriced }) => unpriced ?? 0),
        }).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
