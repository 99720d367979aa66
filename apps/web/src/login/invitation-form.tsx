// An invitation link was opened: the person chooses a password, and is logged in with it.
import { passwordLengths } from "@patchbay/protocol";
import { useState } from "react";
import { base } from "../api/http/base.ts";
import { useFetched } from "../api/http/use-fetched.ts";
import { readInvitation } from "../api/login-methods.ts";
import { logIn } from "../api/logins.ts";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { LoginFormFrame, useSubmit } from "./login-forms.tsx";
import { loginTexts as text } from "./texts.ts";

interface Props {
  invitation: string;
  onDone(): void;
}

export function InvitationForm({ invitation, onDone }: Props) {
  const asked = useFetched("invitation", () => readInvitation(invitation));
  const [password, setPassword] = useState("");
  const { problem, setProblem, waits, submit } = useSubmit(onDone);
  if (asked.error !== null)
    return (
      <>
        <h1 className="text-xl font-semibold tracking-[-0.015em]">{text.badInvitation}</h1>
        <p role="alert" className="mt-2 text-muted">
          {asked.error}
        </p>
        <p className="mt-6">
          <a href={`${base}/`} className="underline underline-offset-2">
            {text.toLogin}
          </a>
        </p>
      </>
    );
  if (asked.data === null) return <Skeleton className="h-40 w-full" />;
  const { handle, name } = asked.data;
  const enter = (): void => {
    if (Array.from(password).length < passwordLengths.min) return setProblem(text.short(passwordLengths.min));
    submit(logIn({ invitation, password }));
  };
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.015em]">{text.welcome(name)}</h1>
      <p className="mt-2 mb-6 text-muted">{text.choose}</p>
      <LoginFormFrame waits={waits} verb={text.join} onSubmit={enter}>
        <Field label={text.handle} hint={text.handleNote}>
          {(control) => (
            <input
              {...control}
              autoComplete="username"
              readOnly
              value={handle}
              className={`${controlClass} bg-sunken text-muted`}
            />
          )}
        </Field>
        <Field label={text.newPassword} hint={text.short(passwordLengths.min)} error={problem}>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                setProblem(undefined);
              }}
              className={controlClass}
            />
          )}
        </Field>
      </LoginFormFrame>
    </>
  );
}
