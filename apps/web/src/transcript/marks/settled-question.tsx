// A question that is settled, as one line where it was asked: what, the answer, and who gave it. An approval says only who decided
// what: the call itself stands above it.
import type { Mark } from "@patchbay/protocol";
import { CircleHelp, ShieldCheck, ShieldX } from "lucide-react";
import { useFeed } from "../../connection/use-feed.ts";
import { useOwnLogin } from "../../connection/use-own-login.ts";
import { showOverlay } from "../../navigation/overlay.ts";
import { marksTexts as texts } from "./texts.ts";

type QuestionMark = Extract<Mark, { kind: "question" }>;

export function SettledQuestion({ mark }: { mark: QuestionMark }) {
  const feed = useFeed();
  const login = mark.answered_by?.login;
  const own = useOwnLogin(login !== undefined);
  const isOwn = feed.hasAnswered(mark.id) || (login !== undefined && login === own);
  if (mark.decision !== undefined) return <Decision mark={mark} isOwn={isOwn} />;
  return (
    <p data-question={mark.id} className="my-1 flex gap-2 text-sm text-muted">
      <CircleHelp size={15} aria-hidden className="mt-[3px] shrink-0 text-faint" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {mark.title === "" ? texts.question : mark.title}
        <span className="text-faint"> · </span>
        {mark.answer !== null && (
          <span className="text-ink">{mark.answer === "" ? texts.emptyAnswer : firstLine(mark.answer)}</span>
        )}
        <span className="text-faint">
          {mark.answer === null ? "" : " · "}
          {ending(mark, isOwn)}
        </span>
      </span>
    </p>
  );
}

function Decision({ mark, isOwn }: { mark: QuestionMark; isOwn: boolean }) {
  const Icon = mark.decision === "allowed" ? ShieldCheck : ShieldX;
  const { reason, permission, call_id, title } = mark;
  return (
    <p data-question={mark.id} className="my-1 flex gap-2 text-xs text-muted">
      <Icon size={14} aria-hidden className="mt-px shrink-0 text-faint" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {call_id === undefined && title !== "" && `${title} · `}
        {decisionText(mark, isOwn)}
        {reason !== undefined && <span className="text-ink">: {firstLine(reason)}</span>}
        {permission !== undefined && (
          <>
            {" · "}
            <button
              type="button"
              onClick={() => showOverlay("permissions")}
              className="rounded-sm underline underline-offset-2 hover:text-ink"
            >
              {texts.permissions}
            </button>
          </>
        )}
      </span>
    </p>
  );
}

function decisionText({ decision, by, answered_by, permission }: QuestionMark, isOwn: boolean): string {
  const who = answered_by?.label;
  if (by === "permission") return texts.byPermission(scopeText(permission));
  if (decision === "denied")
    return isOwn ? texts.youDenied : who === undefined ? texts.denied : texts.deniedBy(who);
  if (permission === undefined)
    return isOwn ? texts.youAllowedOnce : who === undefined ? texts.allowedOnce : texts.allowedOnceBy(who);
  const scope = scopeText(permission);
  if (isOwn) return texts.youAllowedAlways(scope);
  return who === undefined ? texts.allowedAlways(scope) : texts.allowedAlwaysBy(scope, who);
}

function scopeText(permission: QuestionMark["permission"]): string {
  if (permission === undefined) return "";
  const whats = {
    command: texts.scopeCommand,
    prefix: texts.scopePrefix,
    tool: texts.scopeTool,
    all: texts.scopeAll,
  };
  const where = permission.where === "session" ? texts.thisSession : texts.thisDirectory;
  return texts.scopeIn(whats[permission.what], where);
}

function ending({ by, answer, answered_by }: QuestionMark, isOwn: boolean): string {
  if (by === "timeout") return texts.timeUp;
  if (by === "worker_exit") return texts.withdrawnExit;
  if (by === "withdrawn") return texts.withdrawn;
  if (by === "refused") return texts.tooLong;
  if (isOwn) return answer === null ? texts.youDismissed : texts.youAnswered;
  const who = answered_by?.label;
  if (who === undefined) return answer === null ? texts.dismissedElsewhere : texts.answeredElsewhere;
  return answer === null ? texts.dismissedBy(who) : texts.answeredBy(who);
}

/** An answer written in the editor may be a page long. */
function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length < text.trim().length || line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
