// The tokens of one's programs: what each may do, until when, when it was used. A token is shown once, when it is made.
import type { PersonInfo } from "@patchbay/protocol";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { type AccessToken, createToken, listTokens, revokeToken } from "../api/people.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { SecretText } from "./secret-link.tsx";
import { peopleTexts as text } from "./texts.ts";

const scopes = ["read", "drive", "approve", "admin"] as const;
const days = [30, 90, 365, null] as const;

export function AccessTokens({ me }: { me: PersonInfo }) {
  const asked = useFetched("tokens", listTokens);
  const [made, setMade] = useState<string | null>(null);
  const { problem, waits, attempt } = useAttempt();
  const tokens = asked.data ?? [];
  return (
    <section aria-labelledby="account-tokens">
      <h3 id="account-tokens" className="text-sm font-semibold">
        {text.tokens}
      </h3>
      <p className="mt-1 text-sm text-muted">{text.tokensNote}</p>
      {asked.error !== null && <Problem sentence={asked.error} />}
      {made !== null && (
        <div className="mt-3 rounded-md border border-line bg-sunken p-3">
          <p className="text-sm font-medium">{text.copyToken}</p>
          <SecretText secret={made} label={text.copyTokenButton} />
        </div>
      )}
      {tokens.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-md border border-line">
          {tokens.map((token) => (
            <li
              key={token.id}
              aria-label={token.name}
              className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3"
            >
              <div className="min-w-0 flex-1">
                <p className="truncate text-sm">{token.name}</p>
                <p className="truncate text-xs text-faint tabular-nums">{detailsOf(token)}</p>
              </div>
              <Button
                look="quiet"
                label={text.revokeToken(token.name)}
                disabled={waits}
                onClick={() => attempt(revokeToken(token.id).then(asked.refetch))}
              >
                {text.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <Problem sentence={problem} />}
      <NewToken
        isAdmin={me.role === "admin"}
        onMade={(secret) => {
          setMade(secret);
          asked.refetch();
        }}
      />
    </section>
  );
}

const detailsOf = ({ scopes: given, used_at, expires_at }: AccessToken): string =>
  [
    given.join(", "),
    used_at === null ? text.neverUsed : text.lastUsed(formatAgo(used_at)),
    expires_at === null ? text.neverExpires : text.expires(formatExact(expires_at)),
  ].join(" · ");

function NewToken({ isAdmin, onMade }: { isAdmin: boolean; onMade(secret: string): void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>(["read"]);
  const [expires, setExpires] = useState<number | null>(90);
  const { problem, waits, attempt } = useAttempt();
  const offered = scopes.filter((scope) => scope !== "admin" || isAdmin);
  const make = (): void =>
    attempt(
      createToken({ name, scopes: chosen, expires_days: expires }).then((secret) => {
        setName("");
        onMade(secret);
      }),
    );
  return (
    <form
      aria-label={text.createToken}
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
      className="mt-4"
    >
      <div className="grid grid-cols-[1fr_160px] gap-3 phone:grid-cols-1">
        <Field label={text.tokenName} hint={text.tokenNameNote}>
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
              className={controlClass}
            />
          )}
        </Field>
        <Field label={text.expiry}>
          {(control) => (
            <Select
              {...control}
              value={String(expires)}
              onChange={(event) =>
                setExpires(days.find((each) => String(each) === event.target.value) ?? null)
              }
            >
              {days.map((each) => (
                <option key={String(each)} value={String(each)}>
                  {each === null ? text.never : text.days(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <fieldset className="mt-2">
        <legend className="mb-1.5 text-sm font-medium">{text.scopes}</legend>
        <div className="grid grid-cols-2 gap-x-5 phone:grid-cols-1">
          {offered.map((scope) => (
            <label key={scope} className="flex min-h-8 items-center gap-2 text-sm phone:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) =>
                  setChosen(
                    event.target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope),
                  )
                }
              />
              <span>
                {scope} <span className="text-faint">{text.scopeNote(scope)}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-3">
        <Button look="plain" type="submit" disabled={waits || name.trim() === "" || chosen.length === 0}>
          {text.createToken}
        </Button>
      </div>
      {problem !== null && <Problem sentence={problem} />}
    </form>
  );
}
