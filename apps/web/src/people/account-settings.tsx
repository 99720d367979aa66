// Settings → My account: one's name, password, and the tokens of one's programs.
import { type PersonInfo, passwordLengths } from "@patchbay/protocol";
import { type ReactNode, useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { changePassword, readAccount, renameAccount } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { AccessTokens } from "./access-tokens.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { Authenticator } from "./authenticator.tsx";
import { Initials } from "./initials.tsx";
import { useTeam } from "./team.ts";
import { peopleTexts as text } from "./texts.ts";

export default function AccountSettings() {
  const { team, error, refetch } = useTeam();
  if (error !== null && team === null) return <Problem sentence={error} />;
  if (team?.me === null || team === null) return <Skeleton className="h-40 w-full" />;
  return (
    <div className="flex flex-col gap-7">
      <OwnName me={team.me} onChanged={refetch} />
      <OwnPassword handle={team.me.handle} />
      <AccessTokens me={team.me} />
    </div>
  );
}

function OwnName({ me, onChanged }: { me: PersonInfo; onChanged(): Promise<void> }) {
  const [name, setName] = useState(me.name);
  const { problem, waits, attempt } = useAttempt();
  return (
    <section aria-labelledby="account-name">
      <div className="mb-4 flex items-center gap-3">
        <Initials name={me.name} />
        <div>
          <h3 id="account-name" className="text-sm font-semibold">
            {me.name}
          </h3>
          <p className="text-xs text-faint">
            @{me.handle} · {text.roleName(me.role)}
          </p>
        </div>
      </div>
      <SmallForm onSubmit={() => attempt(renameAccount(name).then(onChanged))}>
        <Field label={text.name} hint={text.nameNote}>
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={100}
              autoComplete="name"
              onChange={(event) => setName(event.target.value)}
              className={controlClass}
            />
          )}
        </Field>
        <div>
          <Button
            look="plain"
            type="submit"
            disabled={waits || name.trim() === "" || name.trim() === me.name}
          >
            {text.save}
          </Button>
        </div>
        {problem !== null && <Problem sentence={problem} />}
      </SmallForm>
    </section>
  );
}

const SmallForm = ({ onSubmit, children }: { onSubmit(): void; children: ReactNode }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
    className="flex max-w-[360px] flex-col gap-3 phone:max-w-none"
  >
    {children}
  </form>
);

function OwnPassword({ handle }: { handle: string }) {
  const asked = useFetched("account", readAccount);
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [done, setDone] = useState(false);
  const { problem, setProblem, waits, attempt } = useAttempt();
  if (asked.data === null) return asked.error === null ? null : <Problem sentence={asked.error} />;
  const { has_password: hasOne, has_totp: hasTotp } = asked.data;
  const change = (): void => {
    setDone(false);
    if (Array.from(password).length < passwordLengths.min) return setProblem(text.short(passwordLengths.min));
    attempt(
      changePassword({ password, ...(hasOne ? { old } : {}) }).then(() => {
        setOld("");
        setPassword("");
        setDone(true);
        asked.refetch();
      }),
    );
  };
  return (
    <section aria-labelledby="account-password">
      <h3 id="account-password" className="text-sm font-semibold">
        {text.password}
      </h3>
      <p className="mt-1 mb-3 text-sm text-muted">{hasOne ? text.passwordNote : text.noPassword(handle)}</p>
      <SmallForm onSubmit={change}>
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={handle} readOnly hidden />
        {hasOne && (
          <Field label={text.oldPassword}>
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="current-password"
                value={old}
                onChange={(event) => setOld(event.target.value)}
                className={controlClass}
              />
            )}
          </Field>
        )}
        <Field
          label={text.newPassword}
          hint={done ? text.passwordChanged : text.short(passwordLengths.min)}
          error={problem ?? undefined}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                setProblem(null);
              }}
              className={controlClass}
            />
          )}
        </Field>
        <div>
          <Button look="plain" type="submit" disabled={waits || password === ""}>
            {hasOne ? text.changePassword : text.setPassword}
          </Button>
        </div>
      </SmallForm>
      {hasOne && (
        <div className="mt-7">
          <Authenticator isOn={hasTotp} onChanged={asked.refetch} />
        </div>
      )}
    </section>
  );
}
