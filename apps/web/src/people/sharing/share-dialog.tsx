// Who else may do what in a session: everybody of the team, and people and groups by name. Each change is saved at once.
import { privateAccess, type Right, type SessionAccess, type SessionInfo } from "@patchbay/protocol";
import { Users, X } from "lucide-react";
import { useState } from "react";
import { shareSession, type Team } from "../../api/people.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Select } from "../../ui/select.tsx";
import { Problem, useAttempt } from "../attempt.tsx";
import { Initials } from "../initials.tsx";
import { ownerName, useTeam } from "../team.ts";
import { peopleTexts as text } from "../texts.ts";

type Grant = SessionAccess["grants"][number];
type Target = Grant["to"];

const grantable = ["watch", "drive", "approve"] as const;
const asRight = (value: string): Grant["right"] => grantable.find((each) => each === value) ?? "watch";
const keyOf = (to: Target): string => ("person" in to ? `person ${to.person}` : `group ${to.group}`);

export default function ShareDialog({ session, onClose }: { session: SessionInfo; onClose(): void }) {
  const { team, error } = useTeam();
  return (
    <Dialog open onOpenChange={onClose} title={text.shareTitle} description={text.shareNote}>
      {team === null ? (
        error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : (
          <Problem sentence={error} />
        )
      ) : team.me !== null && session.owner !== team.me.id ? (
        <p className="text-sm text-muted">{text.onlyOwner(ownerName(session, team))}</p>
      ) : (
        <AccessForm session={session} team={team} />
      )}
    </Dialog>
  );
}

function AccessForm({ session, team }: { session: SessionInfo; team: Team }) {
  const [access, setAccess] = useState(session.access ?? privateAccess);
  const { problem, waits, attempt } = useAttempt();
  const save = (changed: SessionAccess): void => {
    setAccess(changed);
    attempt(
      shareSession(session.id, changed).catch((error: unknown) => {
        setAccess(access);
        throw error;
      }),
    );
  };
  const { grants } = access;
  const isPrivate = access.team === null && grants.length === 0;
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line">
        <li className="flex min-h-14 items-center gap-3 px-3 py-2 phone:flex-wrap">
          <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-selected text-muted">
            <Users size={14} aria-hidden />
          </span>
          <div className="min-w-0 flex-1">
            <p className="text-sm">{text.team}</p>
            <p className="text-xs text-faint">{text.teamNote}</p>
          </div>
          <div className="w-[200px] phone:w-full">
            <Select
              aria-label={text.rightOf(text.team)}
              disabled={waits}
              value={access.team ?? ""}
              onChange={({ target: { value } }) =>
                save({ ...access, team: value === "watch" || value === "drive" ? value : null })
              }
            >
              <option value="">{text.none}</option>
              <option value="watch">{text.rightName("watch")}</option>
              <option value="drive">{text.rightName("drive")}</option>
            </Select>
          </div>
        </li>
        {grants.map((grant) => (
          <GrantRow
            key={keyOf(grant.to)}
            grant={grant}
            team={team}
            disabled={waits}
            onChange={(right) =>
              save({ ...access, grants: grants.map((each) => (each === grant ? { ...each, right } : each)) })
            }
            onRemove={() => save({ ...access, grants: grants.filter((each) => each !== grant) })}
          />
        ))}
      </ul>
      <AddGrant
        team={team}
        taken={grants.map(({ to }) => keyOf(to))}
        disabled={waits}
        onAdd={(to) => save({ ...access, grants: [...grants, { to, right: "watch" }] })}
      />
      <p className="mt-2 text-xs text-faint">{isPrivate ? text.nobodyElse : explanation(access)}</p>
      {problem !== null && <Problem sentence={problem} />}
    </>
  );
}

/** What the rights mean that are given here. */
const explanation = ({ team, grants }: SessionAccess): string => {
  const given = new Set<Right>([...(team === null ? [] : [team]), ...grants.map(({ right }) => right)]);
  return grantable
    .filter((right) => given.has(right))
    .map((right) => `${text.rightName(right)}: ${text.rightNote(right)}`)
    .join(" ");
};

interface RowProps {
  grant: Grant;
  team: Team;
  disabled: boolean;
  onChange(right: Grant["right"]): void;
  onRemove(): void;
}

function GrantRow({ grant: { to, right }, team, disabled, onChange, onRemove }: RowProps) {
  const name = nameOf(to, team);
  return (
    <li aria-label={name} className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3 phone:flex-wrap">
      <Initials name={name} />
      <p className="min-w-0 flex-1 truncate text-sm">{name}</p>
      <div className="w-[200px] phone:order-1 phone:w-full">
        <Select
          aria-label={text.rightOf(name)}
          disabled={disabled}
          value={right}
          onChange={({ target }) => onChange(asRight(target.value))}
        >
          {grantable.map((each) => (
            <option key={each} value={each}>
              {text.rightName(each)}
            </option>
          ))}
        </Select>
      </div>
      <IconButton label={text.remove(name)} disabled={disabled} onClick={onRemove}>
        <X size={15} aria-hidden />
      </IconButton>
    </li>
  );
}

function nameOf(to: Target, { people, groups }: Team): string {
  const found =
    "person" in to ? people.find(({ id }) => id === to.person) : groups.find(({ id }) => id === to.group);
  return found?.name ?? text.gone;
}

interface AddProps {
  team: Team;
  taken: readonly string[];
  disabled: boolean;
  onAdd(to: Target): void;
}

function AddGrant({ team, taken, disabled, onAdd }: AddProps) {
  const isFree = ({ to }: { to: Target }): boolean => !taken.includes(keyOf(to));
  const people = team.people
    .filter(({ id, state }) => id !== team.me?.id && state !== "disabled")
    .map(({ id, name }) => ({ name, to: { person: id } }))
    .filter(isFree);
  const groups = team.groups.map(({ id, name }) => ({ name, to: { group: id } })).filter(isFree);
  const all = [...people, ...groups];
  if (all.length === 0) return null;
  return (
    <div className="mt-3">
      <Select
        aria-label={text.addTo}
        disabled={disabled}
        value=""
        onChange={({ target }) => {
          const found = all.find(({ to }) => keyOf(to) === target.value);
          if (found !== undefined) onAdd(found.to);
        }}
      >
        <option value="">{text.choose}</option>
        {people.length > 0 && (
          <optgroup label={text.people}>
            {people.map(({ name, to }) => (
              <option key={keyOf(to)} value={keyOf(to)}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {groups.length > 0 && (
          <optgroup label={text.groups}>
            {groups.map(({ name, to }) => (
              <option key={keyOf(to)} value={keyOf(to)}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </Select>
    </div>
  );
}
