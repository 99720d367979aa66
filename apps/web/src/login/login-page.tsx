// What a browser without a login shows, at whatever address: the address stays, so that a link to a session leads there
// once the browser is logged in.
import { useEffect } from "react";
import { loginLink } from "../api/http/early-requests.ts";
import { onLoginElsewhere } from "../api/http/page-secret.ts";
import { useFetched } from "../api/http/use-fetched.ts";
import { readLoginMethods } from "../api/login-methods.ts";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { ProblemToast } from "../ui/feedback/problem-toast.tsx";
import { Logo } from "../ui/logo.tsx";
import { InvitationForm } from "./invitation-form.tsx";
import { PasswordForm, TokenForm } from "./login-forms.tsx";
import { loginLinkProblem } from "./login-link.ts";
import { loginTexts as text } from "./texts.ts";

const command = "npx patchbay login";
/** The page reloads at the same address, now with a login. */
const enter = (): void => location.reload();

export default function LoginPage({ again }: { again: boolean }) {
  useEffect(() => onLoginElsewhere(enter), []);
  useEffect(() => {
    document.title = text.tabTitle;
  }, []);
  const { invitation } = loginLink();
  return (
    <main className="flex min-h-full items-center justify-center px-5 py-10 phone:items-start phone:pt-14">
      <div className="w-full max-w-[400px]">
        <div className="mb-8 flex items-center gap-2.5 text-base font-semibold">
          <Logo size={22} /> Patchbay
        </div>
        {invitation === null ? (
          <Login again={again} />
        ) : (
          <InvitationForm invitation={invitation} onDone={enter} />
        )}
      </div>
      <ProblemToast />
    </main>
  );
}

function Login({ again }: { again: boolean }) {
  const linkProblem = loginLinkProblem();
  const methods = useFetched("methods", readLoginMethods);
  const isTeam = methods.data?.password === true;
  // Which of the two it is decides what is first: nothing is shown that would jump.
  if (methods.data === null && methods.error === null) return null;
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.015em]">{again ? text.titleAgain : text.title}</h1>
      {again && <p className="mt-2 text-muted">{text.introAgain}</p>}
      {linkProblem !== null && (
        <p role="alert" className="mt-4 rounded-md border border-line bg-needs-soft px-3 py-2 text-sm">
          {isTeam ? text.wrongTeamLink : linkProblem}
        </p>
      )}
      {isTeam ? (
        <div className="mt-6">
          <PasswordForm onDone={enter} />
          <Or />
          <TokenForm isTeam onDone={enter} />
        </div>
      ) : (
        <>
          <p className={`text-muted ${again || linkProblem !== null ? "mt-6" : "mt-2"}`}>{text.run}</p>
          <div className="mt-3 flex items-center justify-between gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3 phone:py-0 phone:pr-0">
            <code className="font-mono text-sm">{command}</code>
            <CopyButton text={command} label={text.copyCommand} />
          </div>
          <p className="mt-2 text-muted">{text.open}</p>
          <Or />
          <TokenForm isTeam={false} onDone={enter} />
        </>
      )}
    </>
  );
}

const Or = () => (
  <div aria-hidden className="my-6 flex items-center gap-3 text-xs text-faint">
    <span className="h-px flex-1 bg-line" />
    {text.or}
    <span className="h-px flex-1 bg-line" />
  </div>
);
