// What happens in sessions, for programs outside that want to be told. Nobody in a session waits for them.
import type { TurnOutcome } from "@patchbay/protocol";
import type { LedgerEntry } from "../store/ledger-types.ts";

export interface NewsSession {
  id: string;
  name: string;
  worker: string;
  cwd: string;
  provider: string;
  model: string;
}

interface Times {
  session: NewsSession;
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
  cost_micros: number;
  unpriced: number;
}

export type News =
  | { type: "turn_started"; session: NewsSession; turn: number; started: number }
  | (Times & { type: "call"; entry: LedgerEntry; purpose: string | undefined })
  | (Times & { type: "tool"; id: string; name: string; failed: boolean })
  | TurnEnded
  | { type: "question"; session: NewsSession; time: number; id: string; method: string; title: string };

/** Must return at once, and throw nothing. */
export type NewsListener = (news: News) => void;
