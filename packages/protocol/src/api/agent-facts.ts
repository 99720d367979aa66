// What the list of agents has beside `WorkerInfo`. In a file of its own: the page reads it in its setup view only.
import * as z from "zod/mini";

/** How it is known what an agent can do, the best first. */
const CapabilitiesFrom = z.looseObject({
  /**
   * `session`: its last session here said it; `known`: the built-in agent's, and those of every agent that speaks the same
   * protocol; `suite`: our conformance suite saw it, with a version that may be another.
   */
  source: z.enum(["session", "known", "suite"]),
  version: z.optional(z.string()),
  /** When the session began. */
  at: z.optional(z.string()),
});
export type CapabilitiesFrom = z.infer<typeof CapabilitiesFrom>;

export const AgentFacts = z.looseObject({
  /** The version that is installed; absent: not installed, or known only when it has run. */
  version: z.optional(z.string()),
  /** The oldest Node that it runs on, where it is a Node script. */
  node: z.optional(z.string()),
  /** The version that has played our conformance suite last. */
  tested: z.optional(z.string()),
  /** Absent: what it can do is known when it has run. */
  capabilities_from: z.optional(CapabilitiesFrom),
});
export type AgentFacts = z.infer<typeof AgentFacts>;
