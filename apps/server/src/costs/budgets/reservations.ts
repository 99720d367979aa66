// What running model calls are expected to cost. Kept in memory only, and one per session: a reservation ends with its call,
// turn, worker, session or server.
import type { Spender, Tally } from "./tally.ts";

/** A hard budget that allows no further call. */
export interface Stop {
  budget: string;
  message: string;
}

export interface Reservation {
  spender: Spender;
  nanos: number;
  /** Present: it is for a turn of an agent that does not ask before its calls. Ends that turn. */
  stopTurn?: (stop: Stop) => void;
}

export class Reservations {
  readonly #held = new Map<string, Reservation>();

  /** Replaces what the session had reserved. */
  hold(reservation: Reservation): void {
    this.#held.set(reservation.spender.session, reservation);
  }

  of(session: string): Reservation | undefined {
    return this.#held.get(session);
  }

  /** Whether there was one. */
  release(session: string): boolean {
    return this.#held.delete(session);
  }

  /** What is reserved of a target, in nano-dollars; `but`: not by this session. */
  reserved(tally: Tally, target: string, but?: string): number {
    let sum = 0;
    for (const { spender, nanos } of this.#held.values())
      if (spender.session !== but && tally.targetOf(spender) === target) sum += nanos;
    return sum;
  }

  /** The turns that count for a target and cannot be refused a call. */
  turnsOf(tally: Tally, target: string): Reservation[] {
    return [...this.#held.values()].filter(
      ({ spender, stopTurn }) => stopTurn !== undefined && tally.targetOf(spender) === target,
    );
  }
}
