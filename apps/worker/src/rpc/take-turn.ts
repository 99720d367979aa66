// Gives a turn to the queue and answers its command: when it starts, or at once when there is no room.
import type { Agent } from "../agent/agent.ts";
import type { Exchange } from "./exchange.ts";

export function takeTurn(
  agent: Agent,
  exchange: Exchange,
  /** The data of the response. */
  started: object,
  run: (signal: AbortSignal) => Promise<void>,
): void {
  const { output } = agent;
  const taken = agent.turns.add({
    bytes: exchange.bytes,
    run: async (signal) => {
      exchange.succeed(started);
      try {
        await agent.open();
        await run(signal);
      } catch (error) {
        // A turn ends itself in every case it foresees. This is the one it did not.
        output.write({ type: "error", message: `internal error: ${String(error)}` });
        output.write({ type: "done" });
      }
    },
  });
  if (!taken) exchange.fail("too many prompts are waiting; try again when one is done");
}
