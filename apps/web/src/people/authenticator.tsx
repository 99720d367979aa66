// A second factor for one's password: an authenticator app, set up with a QR code, and recovery codes that are shown once.
import { useState } from "react";
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { QrCode } from "./qr-code.tsx";
import { SecretText } from "./secret-link.tsx";
import { peopleTexts as text } from "./texts.ts";

interface Props {
  isOn: boolean;
  onChanged(): void;
}

export function Authenticator({ isOn, onChanged }: Props) {
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  const [removes, setRemoves] = useState(false);
  const { problem, waits, attempt } = useAttempt();
  const confirm = (code: string): Promise<void> =>
    confirmAuthenticator(code).then((codes) => {
      setRecovery(codes);
      setSetup(null);
      onChanged();
    });
  const remove = (code: string): Promise<void> =>
    removeAuthenticator(code).then(() => {
      setRemoves(false);
      setRecovery(null);
      onChanged();
    });
  return (
    <section aria-labelledby="account-totp">
      <h3 id="account-totp" className="text-sm font-semibold">
        {text.authenticator}
      </h3>
      <p className="mt-1 text-sm text-muted">{isOn ? text.authenticatorOn : text.authenticatorNote}</p>
      {recovery !== null && (
        <div className="mt-3 rounded-md border border-line bg-sunken p-3">
          <p className="text-sm font-medium">{text.keepRecovery}</p>
          <ul className="mt-2 grid grid-cols-2 gap-x-6 font-mono text-xs leading-6 phone:grid-cols-1">
            {recovery.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <SecretText secret={recovery.join(" ")} label={text.copyRecovery} />
        </div>
      )}
      {setup !== null && (
        <div className="mt-3 flex items-start gap-4 rounded-md border border-line bg-sunken p-3 phone:flex-col phone:items-center">
          <QrCode text={setup.uri} label={text.authenticatorQr} />
          <div className="min-w-0 flex-1 self-stretch">
            <p className="text-sm text-muted">{text.scanAuthenticator}</p>
            <SecretText secret={setup.secret} label={text.copyKey} />
            <div className="mt-3">
              <CodeForm verb={text.confirm} onSubmit={confirm} />
            </div>
          </div>
        </div>
      )}
      {removes && (
        <div className="mt-3 max-w-[360px]">
          <CodeForm verb={text.removeAuthenticator} onSubmit={remove} />
        </div>
      )}
      {setup === null && !removes && (
        <div className="mt-3">
          <Button
            look="plain"
            disabled={waits}
            onClick={() => (isOn ? setRemoves(true) : attempt(beginAuthenticator().then(setSetup)))}
          >
            {isOn ? text.removeAuthenticator : text.addAuthenticator}
          </Button>
        </div>
      )}
      {problem !== null && <Problem sentence={problem} />}
    </section>
  );
}

function CodeForm({ verb, onSubmit }: { verb: string; onSubmit(code: string): Promise<void> }) {
  const [code, setCode] = useState("");
  const { problem, setProblem, waits, attempt } = useAttempt();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(onSubmit(code));
      }}
      className="flex flex-col gap-2"
    >
      <Field label={text.code} error={problem ?? undefined}>
        {(control) => (
          <input
            {...control}
            inputMode="text"
            autoComplete="one-time-code"
            value={code}
            maxLength={40}
            onChange={(event) => {
              setCode(event.target.value);
              setProblem(null);
            }}
            className={`${controlClass} font-mono`}
          />
        )}
      </Field>
      <div>
        <Button look="plain" type="submit" disabled={waits || code.trim() === ""}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
