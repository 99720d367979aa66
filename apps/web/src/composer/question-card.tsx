// Questions of the agent to a person, above the composer. The first answer wins, whoever gives it; the
// card leaves when the server says that the question is settled.
import type { Question } from "@patchbay/protocol";
import { type ReactNode, useState } from "react";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { Button } from "../ui/button.tsx";
import { optionOf } from "./question-options.ts";

const none: readonly never[] = [];

export function Questions() {
  const pending = useFeedState((feed) => feed.session?.pending ?? none);
  return pending.map((question) => <QuestionCard key={question.id} question={question} />);
}

function QuestionCard({ question }: { question: Question }) {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const answer = (value: { value?: string; confirmed?: boolean; cancelled?: boolean }): void => {
    setProblem(feed.answer(question.id, value) ? null : "Not connected. Try again in a moment.");
  };
  const cancel = (
    <Button look="quiet" onClick={() => answer({ cancelled: true })}>
      Cancel
    </Button>
  );
  return (
    <section
      aria-label="The agent asks"
      className="mb-2 animate-appear rounded-md border border-accent/50 bg-needs-soft px-3.5 py-3"
    >
      <p className="text-xs font-medium text-accent">The agent needs you</p>
      <h3 className="mt-0.5 font-medium">{question.title ?? question.message ?? "It asks for an answer"}</h3>
      {question.title !== undefined && question.message !== undefined && (
        <p className="mt-1 text-sm whitespace-pre-wrap text-muted">{question.message}</p>
      )}
      <div className="mt-3">
        {question.method === "confirm" && (
          <Row>
            <Button look="primary" onClick={() => answer({ confirmed: true })}>
              Yes
            </Button>
            <Button look="plain" onClick={() => answer({ confirmed: false })}>
              No
            </Button>
          </Row>
        )}
        {question.method === "select" && (
          <Row>
            {(question.options ?? []).map(optionOf).map((option) => (
              <Button key={option.value} look="plain" onClick={() => answer({ value: option.value })}>
                {option.label}
              </Button>
            ))}
            {cancel}
          </Row>
        )}
        {(question.method === "input" || question.method === "editor") && (
          <WrittenAnswer question={question} onAnswer={(value) => answer({ value })} cancel={cancel} />
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="mt-2 text-xs text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 phone:*:flex-1">{children}</div>
);

interface WrittenProps {
  question: Question;
  onAnswer(value: string): void;
  cancel: ReactNode;
}

function WrittenAnswer({ question, onAnswer, cancel }: WrittenProps) {
  const given = (field: string): string => {
    const value = question[field];
    return typeof value === "string" ? value : "";
  };
  const [text, setText] = useState(given("prefill"));
  const shared = {
    value: text,
    "aria-label": question.title ?? "Your answer",
    placeholder: given("placeholder"),
    className: "w-full rounded-md border border-edge bg-canvas px-3 py-1.5 outline-offset-0",
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text);
      }}
    >
      {question.method === "editor" ? (
        <textarea {...shared} rows={5} onChange={(event) => setText(event.target.value)} />
      ) : (
        <input {...shared} onChange={(event) => setText(event.target.value)} />
      )}
      <Row>
        <Button look="primary" type="submit">
          Answer
        </Button>
        {cancel}
      </Row>
    </form>
  );
}
