// What a browser without a login shows, at whatever address: the address stays, so that a link to a session leads there
// once the browser is logged in.
import { type FormEvent, useEffect, useState } from "react";
import { onLoginElsewhere } from "../api/http/page-secret.ts";
import { logIn } from "../api/logins.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { ProblemToast } from "../ui/feedback/problem-toast.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Logo } from "../ui/logo.tsx";
import { loginLinkProblem, loginProblem, readPasted } from "./login-link.ts";
import { loginTexts as text } from "./texts.ts";

const command = "npx patchbay login";
const tokenCommand = "npx patchbay token";

/** The page reloads at the same address, now with a login. */
const enter = (): void => location.reload();

export default function LoginPage({ again }: { again: boolean }) {
  useEffect(() => onLoginElsewhere(enter), []);
  useEffect(() => {
    document.title = text.tabTitle;
  }, []);
  const linkProblem = loginLinkProblem();
  return (
    <main className="flex min-h-full items-center justify-center px-5 py-10 phone:items-start phone:pt-14">
      <div className="w-full max-w-[400px]">
        <div className="mb-8 flex items-center gap-2.5 text-base font-semibold">
          <Logo size={22} /> Patchbay
        </div>
        <h1 className="text-xl font-semibold tracking-[-0.015em]">{again ? text.titleAgain : text.title}</h1>
        {again && <p className="mt-2 text-muted">{text.introAgain}</p>}
        {linkProblem !== null && (
          <p role="alert" className="mt-4 rounded-md border border-line bg-needs-soft px-3 py-2 text-sm">
            {linkProblem}
          </p>
        )}
        <p className={`text-muted ${again || linkProblem !== null ? "mt-6" : "mt-2"}`}>{text.run}</p>
        <div className="mt-3 flex items-center justify-between gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3 phone:py-0 phone:pr-0">
          <code className="font-mono text-sm">{command}</code>
          <CopyButton text={command} label={text.copyCommand} />
        </div>
        <p className="mt-2 text-muted">{text.open}</p>
        <div aria-hidden className="my-6 flex items-center gap-3 text-xs text-faint">
          <span className="h-px flex-1 bg-line" />
          {text.or}
          <span className="h-px flex-1 bg-line" />
        </div>
        <LoginForm />
      </div>
      <ProblemToast />
    </main>
  );
}

function LoginForm() {
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [waits, setWaits] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = readPasted(pasted);
    if (given === null) return setProblem(text.empty);
    setProblem(undefined);
    setWaits(true);
    logIn(given).then(enter, (error: unknown) => {
      setProblem(loginProblem(given, error));
      setWaits(false);
    });
  };
  const hint = (
    <>
      {text.hint} <code className="font-mono">{tokenCommand}</code>
    </>
  );
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={text.field} hint={hint} error={problem}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            spellCheck={false}
            value={pasted}
            onChange={(event) => {
              setPasted(event.target.value);
              setProblem(undefined);
            }}
            className={`${controlClass} font-mono`}
          />
        )}
      </Field>
      <div className="grid">
        <Button look="primary" type="submit" disabled={waits}>
          {waits ? text.waits : text.submit}
        </Button>
      </div>
    </form>
  );
}
