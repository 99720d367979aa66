// The browsers that are logged in: which they are, when they were last used, and revoking one.
import type { Login } from "@patchbay/protocol";
import { Laptop, Smartphone } from "lucide-react";
import { Suspense, useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { listLogins, revokeLogin, revokeOtherLogins } from "../api/logins.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatTexts } from "../format/texts.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { settingsTexts as text } from "./texts.ts";

const PairPhone = lazyPart(() => import("../people/pair-phone.tsx"));

/** While the dialog is open. */
const lookEveryMs = 15_000;

export function Devices() {
  const asked = useFetched("logins", listLogins, lookEveryMs);
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const attempt = (what: Promise<void>): void => {
    setProblem(null);
    setWaits(true);
    what.catch((error: unknown) => setProblem(errorMessage(error))).finally(() => setWaits(false));
  };
  const revoke = (what: Promise<void>): void => attempt(what.then(asked.refetch));
  const logins = [...(asked.data ?? [])].sort((one, other) => Number(other.current) - Number(one.current));
  const others = logins.filter(({ current }) => !current);
  const complaint = problem ?? asked.error;
  return (
    <section aria-labelledby="settings-devices">
      <h3 id="settings-devices" className="text-sm font-semibold">
        {text.devices}
      </h3>
      <p className="mt-1 text-sm text-muted">{text.devicesNote}</p>
      {complaint !== null && (
        <p role="alert" className="mt-2 text-sm text-failed">
          {complaint}
        </p>
      )}
      {asked.data === null && asked.error === null && <Skeleton className="mt-3 h-14 w-full" />}
      {logins.length > 0 && (
        <ul className="mt-3 max-h-[264px] divide-y divide-line overflow-y-auto rounded-md border border-line">
          {logins.map((login) => (
            <Device
              key={login.id}
              login={login}
              disabled={waits}
              onRevoke={() => revoke(revokeLogin(login.id))}
            />
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <div className="mt-3">
          <Button look="plain" disabled={waits} onClick={() => revoke(revokeOtherLogins())}>
            {text.revokeOthers(others.length)}
          </Button>
        </div>
      )}
      <Suspense>
        <PairPhone onPaired={asked.refetch} />
      </Suspense>
    </section>
  );
}

interface DeviceProps {
  login: Login;
  disabled: boolean;
  onRevoke(): void;
}

function Device({ login, disabled, onRevoke }: DeviceProps) {
  const Icon = /iPhone|Android/.test(login.label) ? Smartphone : Laptop;
  const ago = formatAgo(login.last_used_at);
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3">
      <Icon size={16} aria-hidden className="shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-sm">
          <span className="truncate">{login.label}</span>
          {login.current && (
            <span className="shrink-0 rounded-sm border border-line px-1.5 text-2xs text-muted">
              {text.currentDevice}
            </span>
          )}
        </p>
        <p
          className="truncate text-xs text-faint tabular-nums"
          title={text.deviceTimes(
            formatExact(login.last_used_at),
            formatExact(login.created_at),
            formatExact(login.expires_at),
          )}
        >
          {ago === formatTexts.now ? text.usedNow : text.lastUsed(ago)} · {login.address}
        </p>
      </div>
      {!login.current && (
        <Button look="quiet" label={text.revokeLabel(login.label)} disabled={disabled} onClick={onRevoke}>
          {text.revoke}
        </Button>
      )}
    </li>
  );
}
