// Questions of the agent to a person, above the composer, one at a time. The first answer wins; the
// card disappears when the server reports that the question is settled.
import type { Question } from "@patchbay/protocol";
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import type { QuestionAnswer } from "../connection/outgoing/pending-answers.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { plural } from "../format/plural.ts";
import { Button } from "../ui/button.tsx";
import { ApprovalAnswers, ApprovalPreview } from "./approval.tsx";
import { ButtonRow, Choices } from "./choices.tsx";
import { questionMark } from "./focus-question.ts";
import { defaultAnswerText, optionOf, textField } from "./question-options.ts";
import { TimeLeft } from "./time-left.tsx";
import { useSettledAnswers } from "./use-settled-answers.ts";
import { WrittenAnswer } from "./written-answer.tsx";

export function QuestionCards() {
  useSettledAnswers();
  const first = useFeedState((feed) => feed.session?.pending[0]);
  const more = useFeedState((feed) => (feed.session?.pending.length ?? 0) - 1);
  if (first === undefined) return null;
  return <QuestionCard key={first.id} question={first} more={more} />;
}

/** On a phone it is a sheet over everything else, which can be put off to look at what it is about. */
function QuestionCard({ question, more }: { question: Question; more: number }) {
  const feed = useFeed();
  const [later, setLater] = useState(false);
  const sent = useFeedState((state) => state.answering.includes(question.id));
  const tool = textField(question, "tool");
  const why = textField(question, "why");
  if (later) return <PutOff session={feed.id} question={question} onOpen={() => setLater(false)} />;
  return (
    <>
      <button
        type="button"
        aria-label="Answer later"
        onClick={() => setLater(true)}
        className="fixed inset-0 z-30 hidden animate-[appear_120ms_ease-out] bg-[rgb(6_8_10/0.55)] phone:block"
      />
      <section
        aria-label="The agent asks"
        {...questionMark(feed.id)}
        aria-busy={sent}
        data-question-card
        className="mb-2 flex max-h-[calc(var(--seen)*0.6)] animate-appear flex-col overflow-hidden rounded-md border border-accent/50 bg-needs-soft phone:fixed phone:inset-x-0 phone:bottom-[var(--covered)] phone:z-40 phone:mb-0 phone:max-h-[calc(var(--seen)*0.92)] phone:rounded-t-lg phone:rounded-b-none phone:border-x-0 phone:border-b-0 phone:pb-[env(safe-area-inset-bottom)] phone:shadow-float"
      >
        <button
          type="button"
          onClick={() => setLater(true)}
          className="hidden h-11 shrink-0 items-center justify-center text-xs text-faint phone:flex"
        >
          <span aria-hidden className="h-1 w-9 rounded-full bg-edge" />
          <span className="sr-only">Later</span>
        </button>
        <div className="flex items-baseline gap-3 px-3.5 pt-3 text-xs phone:pt-0">
          <p className="font-medium text-accent">{askerOf(question)}</p>
          {more > 0 && <span className="text-muted">{plural(more, "more question")} after this one</span>}
          <span className="ml-auto">
            {question.expires_at !== undefined && (
              <TimeLeft until={question.expires_at} fallback={defaultAnswerText(question)} />
            )}
          </span>
        </div>
        {/* What scrolls must scroll with the keyboard */}
        <div
          tabIndex={0}
          role="group"
          aria-label="Question"
          className="min-h-10 shrink-[100] overflow-y-auto px-3.5 pt-0.5"
        >
          <h3 className="font-medium [overflow-wrap:anywhere]">
            {question.title ?? question.message ?? "It asks for an answer"}
          </h3>
          {question.title !== undefined && question.message !== undefined && (
            <p className="mt-1 text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
              {question.message}
            </p>
          )}
          {why !== "" && (
            <p className="mt-1.5 flex items-start gap-1.5 text-sm text-ink [overflow-wrap:anywhere]">
              <ShieldAlert size={14} aria-hidden className="mt-[3px] shrink-0 text-accent" />
              {why}
            </p>
          )}
          {tool !== "" && <ApprovalPreview question={question} />}
        </div>
        {/* Above a keyboard there may be room for a part of the answers only */}
        <div data-answers className="min-h-0 overflow-y-auto px-3.5 pt-3 pb-3">
          <div inert={sent} className={sent ? "opacity-60" : ""}>
            <Answers question={question} onAnswer={(given) => feed.answer(question.id, given)} />
          </div>
          {sent && <OnItsWay />}
        </div>
      </section>
    </>
  );
}

/** Usually gone before it can be read, so it does not come at once. */
function OnItsWay() {
  const live = useFeedState((feed) => feed.link.state === "live");
  return (
    <p role="status" className="mt-2 animate-[appear_120ms_ease-out_400ms_both] text-xs text-muted">
      {live
        ? "Sending…"
        : "Not connected. Your answer goes out when the line is back; keep this page open until then."}
    </p>
  );
}

interface PutOffProps {
  session: string;
  question: Question;
  onOpen(): void;
}

const PutOff = ({ session, question, onOpen }: PutOffProps) => (
  <button
    type="button"
    {...questionMark(session)}
    onClick={onOpen}
    className="mb-2 flex min-h-11 w-full items-center gap-3 rounded-md border border-accent/50 bg-needs-soft px-3.5 text-left text-sm"
  >
    <span className="shrink-0 text-xs font-medium text-accent">{askerOf(question)}</span>
    <span className="min-w-0 flex-1 truncate">
      {question.title ?? question.message ?? "It asks for an answer"}
    </span>
    {question.expires_at !== undefined && <TimeLeft until={question.expires_at} fallback="" />}
  </button>
);

const isServers = ({ id }: Question): boolean => id.startsWith("server-");

function askerOf(question: Question): string {
  if (textField(question, "tool") !== "") return "Your approval";
  if (isServers(question)) return "Before the agent starts";
  const extension = textField(question, "extension");
  return extension === "" ? "The agent needs you" : `${extension} asks`;
}

function Answers({ question, onAnswer }: { question: Question; onAnswer(answer: QuestionAnswer): void }) {
  const options = (question.options ?? []).map(optionOf);
  // The server's own questions have a way out among their answers.
  const cancel = isServers(question) ? null : (
    <Button look="quiet" onClick={() => onAnswer({ cancelled: true })}>
      Cancel
    </Button>
  );
  if (question.method === "confirm") {
    const no = question["default"] === false;
    return (
      <ButtonRow>
        <Button look={no ? "plain" : "primary"} onClick={() => onAnswer({ confirmed: true })}>
          Yes
        </Button>
        <Button look={no ? "primary" : "plain"} onClick={() => onAnswer({ confirmed: false })}>
          No
        </Button>
      </ButtonRow>
    );
  }
  if (question.method !== "select") {
    return <WrittenAnswer question={question} onAnswer={(value) => onAnswer({ value })} cancel={cancel} />;
  }
  if (textField(question, "tool") !== "")
    return <ApprovalAnswers question={question} options={options} onAnswer={onAnswer} />;
  return (
    <Choices
      label={question.title ?? "Answers"}
      options={options}
      preferred={textField(question, "default")}
      onChoose={({ value }) => onAnswer({ value })}
      cancel={cancel}
    />
  );
}
