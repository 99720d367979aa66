// What happens in sessions, for integrations. No session waits for an integration.
import type { TurnOutcome } from "@patchbay/protocol";
import type { LedgerEntry } from "../store/ledger-types.ts";

export interface EventSession {
  id: string;
  name: string;
  worker: string;
  cwd: string;
  provider: string;
  model: string;
}

interface Times {
  session: EventSession;
  /** Milliseconds. */
  started: number;
  ended: number;
}

interface TurnEnded extends Times {
  type: "turn_ended";
  /** The number of its prompt's frame. */
  turn: number;
  outcome: TurnOutcome;
  error?: string | undefined;
  calls: number;
  input: number;
  output: number;
  cost_nanos: number;
  unpriced: number;
}

export type TurnEvent =
  | { type: "turn_started"; session: EventSession; turn: number; started: number }
  | (Times & { type: "call"; entry: LedgerEntry; purpose: string | undefined })
  | (Times & { type: "tool"; id: string; name: string; failed: boolean })
  | TurnEnded
  | { type: "question"; session: EventSession; time: number; id: string; method: string; title: string };

/** Must return at once, and throw nothing. */
export type TurnEventListener = (event: TurnEvent) => void;
