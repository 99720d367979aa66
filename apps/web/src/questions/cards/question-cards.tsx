// Questions of the agent to a person, above the composer, one at a time. The first answer wins; the
// card disappears when the server reports that the question is settled.
import type { Question } from "@patchbay/protocol";
import { ShieldAlert } from "lucide-react";
import { type RefObject, Suspense, useRef, useState } from "react";
import type { QuestionAnswer } from "../../connection/outgoing/pending-answers.ts";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useRights } from "../../connection/use-may.ts";
import { ownerName, useTeamStore } from "../../people/team.ts";
import { peopleTexts } from "../../people/texts.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { useCardFocus } from "../approvals/card-focus.ts";
import { ButtonRow, Choices } from "../choices.tsx";
import { questionMark } from "../focus-question.ts";
import { defaultAnswerText, optionOf, textField } from "../question-options.ts";
import { questionsTexts as texts } from "../texts.ts";
import { TimeLeft } from "../time-left.tsx";
import { useSettledAnswers } from "../use-settled-answers.ts";
import { WrittenAnswer } from "../written-answer.tsx";

/** A chunk of its own, with the library that compares: most sessions ask for nothing. */
const ApprovalBody = lazyPart(() => import("../approvals/approval-body.tsx"));

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
  const cwd = useFeedState((state) => state.session?.cwd ?? "");
  const refusal = useRefusal();
  const why = textField(question, "why");
  const card = useRef<HTMLElement>(null);
  if (later) return <PutOff session={feed.id} question={question} onOpen={() => setLater(false)} />;
  const answer = (given: QuestionAnswer): void => feed.answer(question.id, given);
  const message = messageOf(question);
  return (
    <>
      <button
        type="button"
        aria-label={texts.answerLater}
        onClick={() => setLater(true)}
        className="fixed inset-0 z-30 hidden animate-[appear_120ms_ease-out] bg-[rgb(6_8_10/0.55)] phone:block"
      />
      <section
        ref={card}
        tabIndex={-1}
        aria-label={texts.card}
        {...questionMark(feed.id)}
        aria-busy={sent}
        data-question-card
        className="mb-2 flex max-h-[calc(var(--seen)*0.6)] animate-appear flex-col overflow-hidden rounded-md border border-accent/50 bg-needs-soft outline-none focus:border-accent focus:ring-1 focus:ring-accent phone:fixed phone:inset-x-0 phone:bottom-[var(--covered)] phone:z-40 phone:mb-0 phone:max-h-[calc(var(--seen)*0.92)] phone:rounded-t-lg phone:rounded-b-none phone:border-x-0 phone:border-b-0 phone:pb-[env(safe-area-inset-bottom)] phone:shadow-float"
      >
        <button
          type="button"
          onClick={() => setLater(true)}
          className="hidden h-11 shrink-0 items-center justify-center text-xs text-faint phone:flex"
        >
          <span aria-hidden className="h-1 w-9 rounded-full bg-edge" />
          <span className="sr-only">{texts.later}</span>
        </button>
        <div className="flex items-baseline gap-3 px-3.5 pt-3 text-xs phone:pt-0">
          <p className="font-medium text-accent">{askerOf(question)}</p>
          {more > 0 && <span className="text-muted">{texts.moreAfterThis(more)}</span>}
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
          aria-label={texts.question}
          className={`px-3.5 pt-0.5 ${isApproval(question) ? "max-h-32 shrink-0 overflow-y-auto" : "min-h-10 shrink-[100] overflow-y-auto"}`}
        >
          <h2 className="font-medium [overflow-wrap:anywhere]">{titleOf(question)}</h2>
          {message !== "" && (
            <p className="mt-1 text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{message}</p>
          )}
          {why !== "" && (
            <p className="mt-1.5 flex items-start gap-1.5 text-sm text-ink [overflow-wrap:anywhere]">
              <ShieldAlert size={14} aria-hidden className="mt-[3px] shrink-0 text-accent" />
              {why}
            </p>
          )}
        </div>
        {isApproval(question) ? (
          <div inert={sent} className={`flex min-h-0 flex-col ${sent ? "opacity-60" : ""}`}>
            <Suspense fallback={<div className="m-3.5 h-24 rounded-md border border-line bg-sunken" />}>
              <FocusedCard card={card} session={feed.id} />
              <ApprovalBody question={question} cwd={cwd} refusal={refusal} card={card} onAnswer={answer} />
            </Suspense>
          </div>
        ) : (
          // Above a keyboard there may be room for a part of the answers only
          <div data-answers className="min-h-0 overflow-y-auto px-3.5 pt-3 pb-3">
            <div inert={sent} className={sent ? "opacity-60" : ""}>
              <Answers question={question} onAnswer={answer} />
            </div>
          </div>
        )}
        {sent && <OnItsWay />}
      </section>
    </>
  );
}

/** Why this person may not allow what is asked for; null: they may. */
function useRefusal(): string | null {
  const session = useFeedState((state) => state.session);
  const may = useRights((rights) => rights.may);
  const team = useTeamStore((store) => store.team);
  if (session?.owner === undefined || may(session, "approve")) return null;
  return peopleTexts.mayNotAllow(ownerName(session, team));
}

/** Rendered with the keys' owner: a focused card answers to them. */
function FocusedCard({ card, session }: { card: RefObject<HTMLElement | null>; session: string }) {
  useCardFocus(card, session);
  return null;
}

const isApproval = (question: Question): boolean =>
  question.method === "select" && textField(question, "tool") !== "";

/** The command itself is shown once, below. */
const isCommand = (question: Question): boolean =>
  isApproval(question) && typeof Object(question["args"])["command"] === "string";

function titleOf(question: Question): string {
  if (isCommand(question)) return texts.runCommand;
  return question.title ?? question.message ?? texts.untitled;
}

/** Empty where it would repeat the title or what is shown of the call. */
function messageOf(question: Question): string {
  const { title, message = "" } = question;
  if (title === undefined || isCommand(question)) return "";
  return isApproval(question) && JSON.stringify(question["args"] ?? "").includes(JSON.stringify(message))
    ? ""
    : message;
}

/** Usually gone before it can be read, so it does not come at once. */
function OnItsWay() {
  const live = useFeedState((feed) => feed.link.state === "live");
  return (
    <p role="status" className="animate-[appear_120ms_ease-out_400ms_both] px-3.5 pb-3 text-xs text-muted">
      {live ? texts.sending : texts.notConnected}
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
    <span className="min-w-0 flex-1 truncate">{titleOf(question)}</span>
    {question.expires_at !== undefined && <TimeLeft until={question.expires_at} fallback="" />}
  </button>
);

const isServers = ({ id }: Question): boolean => id.startsWith("server-");

function askerOf(question: Question): string {
  if (textField(question, "tool") !== "") return texts.approval;
  if (isServers(question)) return texts.beforeStart;
  const extension = textField(question, "extension");
  return extension === "" ? texts.needsYou : texts.extensionAsks(extension);
}

function Answers({ question, onAnswer }: { question: Question; onAnswer(answer: QuestionAnswer): void }) {
  const options = (question.options ?? []).map(optionOf);
  // The server's own questions have a way out among their answers.
  const cancel = isServers(question) ? null : (
    <Button look="quiet" onClick={() => onAnswer({ cancelled: true })}>
      {texts.cancel}
    </Button>
  );
  if (question.method === "confirm") {
    const no = question["default"] === false;
    return (
      <ButtonRow>
        <Button look={no ? "plain" : "primary"} onClick={() => onAnswer({ confirmed: true })}>
          {texts.yes}
        </Button>
        <Button look={no ? "primary" : "plain"} onClick={() => onAnswer({ confirmed: false })}>
          {texts.no}
        </Button>
      </ButtonRow>
    );
  }
  if (question.method !== "select") {
    return <WrittenAnswer question={question} onAnswer={(value) => onAnswer({ value })} cancel={cancel} />;
  }
  return (
    <Choices
      label={question.title ?? texts.answers}
      options={options}
      preferred={textField(question, "default")}
      onChoose={({ value }) => onAnswer({ value })}
      cancel={cancel}
    />
  );
}
