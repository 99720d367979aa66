// Answers that this page sent to questions that have not ended yet. The server does not acknowledge an answer: the
// transcript shows how each question ended, and thereby whether this answer was the one that counted.
import type { Mark, Remember, SessionInfo, Transcript } from "@patchbay/protocol";

export interface QuestionAnswer {
  value?: string;
  confirmed?: boolean;
  cancelled?: boolean;
  /** Why something was denied, for the agent. */
  reason?: string;
  /** Allows later questions of the same kind too. */
  remember?: Remember;
}

type QuestionMark = Extract<Mark, { kind: "question" }>;

export interface SettledAnswer {
  id: string;
  /** The end of the question, when another answer or event ended it. Null: this answer counted. */
  supersededBy: QuestionMark | null;
}

interface Pending {
  answer: QuestionAnswer;
  /** A worker may ask again under the same id, which is another question. */
  askedAt: string | undefined;
  /** How many questions of that id had ended before. */
  endedBefore: number;
}

export class PendingAnswers {
  /** As many as a person clicks while the page is open. */
  readonly #pending = new Map<string, Pending>();
  readonly #counted = new Set<string>();

  add(id: string, answer: QuestionAnswer, session: SessionInfo | null, transcript: Transcript): void {
    const askedAt = askedAtOf(session, id);
    this.#pending.set(id, { answer, askedAt, endedBefore: endsOf(transcript, id).length });
  }

  /** Those whose question is still open: the server may not have received them. */
  unconfirmed(session: SessionInfo | null): { id: string; answer: QuestionAnswer }[] {
    return [...this.#pending].flatMap(([id, { answer, askedAt }]) =>
      askedAt !== undefined && askedAtOf(session, id) === askedAt ? [{ id, answer }] : [],
    );
  }

  /** Takes out those whose question has ended. */
  takeSettled(transcript: Transcript): SettledAnswer[] {
    return [...this.#pending].flatMap(([id, { answer, endedBefore }]) => {
      const ends = endsOf(transcript, id);
      const end = ends.at(-1);
      if (end === undefined || ends.length <= endedBefore) return [];
      this.#pending.delete(id);
      const counted = end.by === "viewer" && end.answer === answerText(answer);
      if (counted) this.#counted.add(id);
      return [{ id, supersededBy: counted ? null : end }];
    });
  }

  /** Whether the answer that counted was sent from here. Equal answers of two people are not distinguished. */
  hasCounted(id: string): boolean {
    return this.#counted.has(id);
  }
}

const askedAtOf = (session: SessionInfo | null, id: string): string | undefined =>
  session?.pending.find((question) => question.id === id)?.asked_at;

const endsOf = ({ marks }: Transcript, id: string): QuestionMark[] =>
  marks.filter((mark) => mark.kind === "question").filter((mark) => mark.id === id);

/** As the transcript writes it. */
function answerText({ value, confirmed, cancelled, reason }: QuestionAnswer): string | null {
  if (cancelled === true) return null;
  const given = value ?? (confirmed === true ? "Yes" : "No");
  return reason === undefined ? given : `${given}: ${reason}`;
}
