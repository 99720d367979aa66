// The two ways to log in that are typed: name and password, and a login link or the token.
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/http/call.ts";
import { logIn } from "../api/logins.ts";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { loginProblem, readPasted } from "./login-link.ts";
import { loginTexts as text } from "./texts.ts";

const tokenCommand = "npx patchbay token";

interface Props {
  onDone(): void;
}

/** A form with one button, which waits for the server and says what is wrong. */
export function useSubmit(onDone: () => void) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [waits, setWaits] = useState(false);
  const submit = (work: Promise<unknown>, explain: (error: unknown) => string = errorMessage): void => {
    setProblem(undefined);
    setWaits(true);
    work.then(onDone, (error: unknown) => {
      setProblem(explain(error));
      setWaits(false);
    });
  };
  return { problem, setProblem, waits, submit };
}

interface FormProps {
  waits: boolean;
  verb: string;
  look?: "primary" | "plain";
  onSubmit(): void;
  children: ReactNode;
}

export const LoginFormFrame = ({ waits, verb, look = "primary", onSubmit, children }: FormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
    className="flex flex-col gap-3"
  >
    {children}
    <div className="grid">
      <Button look={look} type="submit" disabled={waits}>
        {waits ? text.waits : verb}
      </Button>
    </div>
  </form>
);

export function PasswordForm({ onDone }: Props) {
  const [handle, setHandle] = useState("");
  const [password, setPassword] = useState("");
  /** Null: it was not asked for. */
  const [code, setCode] = useState<string | null>(null);
  const { problem, setProblem, waits, submit } = useSubmit(onDone);
  const enter = (): void => {
    if (handle.trim() === "" || password === "") return setProblem(text.emptyPassword);
    const given = code === null || code.trim() === "" ? {} : { code };
    submit(logIn({ handle, password, ...given }), (error) => {
      if (error instanceof ApiError && error.code === "code_needed") setCode((known) => known ?? "");
      if (error instanceof ApiError && error.code === "not_logged_in") return text.wrongPassword;
      return errorMessage(error);
    });
  };
  return (
    <LoginFormFrame waits={waits} verb={text.submit} onSubmit={enter}>
      <Field label={text.handle}>
        {(control) => (
          <input
            {...control}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={handle}
            onChange={(event) => setHandle(event.target.value)}
            className={controlClass}
          />
        )}
      </Field>
      <Field label={text.password} hint={text.forgot} error={code === null ? problem : undefined}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setProblem(undefined);
            }}
            className={controlClass}
          />
        )}
      </Field>
      {code !== null && (
        <Field label={text.code} error={problem}>
          {(control) => (
            <input
              {...control}
              autoComplete="one-time-code"
              value={code}
              maxLength={40}
              onChange={(event) => setCode(event.target.value)}
              className={`${controlClass} font-mono`}
            />
          )}
        </Field>
      )}
    </LoginFormFrame>
  );
}

export function TokenForm({ isTeam, onDone }: Props & { isTeam: boolean }) {
  const [pasted, setPasted] = useState("");
  const { problem, setProblem, waits, submit } = useSubmit(onDone);
  const enter = (): void => {
    const given = readPasted(pasted);
    if (given === null) return setProblem(text.empty);
    submit(logIn(given), (error) => loginProblem(given, error));
  };
  const hint = (
    <>
      {text.hint} <code className="font-mono">{tokenCommand}</code>
    </>
  );
  return (
    <LoginFormFrame
      waits={waits}
      verb={isTeam ? text.submitLink : text.submit}
      look={isTeam ? "plain" : "primary"}
      onSubmit={enter}
    >
      <Field label={text.field} hint={isTeam ? text.hintTeam : hint} error={problem}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete={isTeam ? "off" : "current-password"}
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
    </LoginFormFrame>
  );
}
