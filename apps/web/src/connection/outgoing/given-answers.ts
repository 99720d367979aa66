// Answers to questions that were given here and are not settled yet. No response tells that one has arrived: the
// transcript tells how each question ended, and by that whether it was this answer that counted.
import type { Mark, Session, Transcript } from "@patchbay/protocol";

export interface Answer {
  value?: string;
  confirmed?: boolean;
  cancelled?: boolean;
  /** Why something was denied, for the agent. */
  reason?: string;
}

type QuestionMark = Extract<Mark, { kind: "question" }>;

export interface SettledAnswer {
  id: string;
  /** How it ended, if otherwise than by this answer. */
  otherwise: QuestionMark | null;
}

interface Given {
  answer: Answer;
  /** A worker may ask again under the same id, which is another question. */
  askedAt: string | undefined;
  /** How many questions of that id had ended before. */
  endedBefore: number;
}

export class GivenAnswers {
  /** As many as a person clicks while the page is open. */
  readonly #given = new Map<string, Given>();
  readonly #counted = new Set<string>();

  give(id: string, answer: Answer, session: Session | null, transcript: Transcript): void {
    const askedAt = askedAtOf(session, id);
    this.#given.set(id, { answer, askedAt, endedBefore: endsOf(transcript, id).length });
  }

  /** Those whose question is still open: the server may not have them. */
  unheard(session: Session | null): { id: string; answer: Answer }[] {
    return [...this.#given].flatMap(([id, { answer, askedAt }]) =>
      askedAt !== undefined && askedAtOf(session, id) === askedAt ? [{ id, answer }] : [],
    );
  }

  /** Takes out those whose question has ended. */
  takeSettled(transcript: Transcript): SettledAnswer[] {
    return [...this.#given].flatMap(([id, { answer, endedBefore }]) => {
      const ends = endsOf(transcript, id);
      const end = ends.at(-1);
      if (end === undefined || ends.length <= endedBefore) return [];
      this.#given.delete(id);
      const counted = end.by === "viewer" && end.answer === wordsOf(answer);
      if (counted) this.#counted.add(id);
      return [{ id, otherwise: counted ? null : end }];
    });
  }

  /** Whether the answer that counted was given here; but for two people who say the same, this is who gave it. */
  hasCounted(id: string): boolean {
    return this.#counted.has(id);
  }
}

const askedAtOf = (session: Session | null, id: string): string | undefined =>
  session?.pending.find((question) => question.id === id)?.asked_at;

const endsOf = ({ marks }: Transcript, id: string): QuestionMark[] =>
  marks.filter((mark) => mark.kind === "question").filter((mark) => mark.id === id);

/** As the transcript says it. */
function wordsOf({ value, confirmed, cancelled, reason }: Answer): string | null {
  if (cancelled === true) return null;
  const given = value ?? (confirmed === true ? "Yes" : "No");
  return reason === undefined ? given : `${given}: ${reason}`;
}
