// Settings → People: who uses this server, with which role. Admins invite, reset and disable; everybody else sees the list.
import type { PersonInfo, Role } from "@patchbay/protocol";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { changePerson, type Invited, resetPerson, type Team } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { Groups } from "./groups.tsx";
import { Initials } from "./initials.tsx";
import { InvitePerson } from "./invite-person.tsx";
import { SecretLink } from "./secret-link.tsx";
import { useTeam } from "./team.ts";
import { peopleTexts as text } from "./texts.ts";

export default function PeopleSettings() {
  const { team, error, refetch } = useTeam();
  const [invited, setInvited] = useState<Invited | null>(null);
  if (team === null)
    return error === null ? <Skeleton className="h-40 w-full" /> : <Problem sentence={error} />;
  const isAdmin = team.me === null || team.me.role === "admin";
  const show = (answer: Invited): void => {
    setInvited(answer);
    void refetch();
  };
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="people-list">
        <h3 id="people-list" className="text-sm font-semibold">
          {team.people.length === 0 ? text.inviteTeam : text.people}
        </h3>
        <p className="mt-1 text-sm text-muted">
          {team.people.length === 0 ? text.firstNote : text.peopleNote}
        </p>
        {invited !== null && (
          <div className="mt-3">
            <SecretLink
              link={invited.invitation.link}
              label={text.inviteQr(invited.person.name)}
              title={text.sendLink(invited.person.name)}
              note={text.linkNote}
            />
          </div>
        )}
        {team.people.length > 0 && (
          <PeopleList team={team} isAdmin={isAdmin} onInvited={show} onChanged={refetch} />
        )}
        {isAdmin && <InvitePerson isFirst={team.people.length === 0} onInvited={show} />}
      </section>
      {team.people.length > 0 && <Groups team={team} isAdmin={isAdmin} onChanged={refetch} />}
    </div>
  );
}

interface ListProps {
  team: Team;
  isAdmin: boolean;
  onInvited(answer: Invited): void;
  onChanged(): Promise<void>;
}

function PeopleList({ team, isAdmin, onInvited, onChanged }: ListProps) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <ul className="mt-3 divide-y divide-line rounded-md border border-line">
      {team.people.map((person) => (
        <PersonRow
          key={person.id}
          person={person}
          isMe={person.id === team.me?.id}
          groups={team.groups.filter(({ members }) => members.includes(person.id)).map(({ name }) => name)}
          isAdmin={isAdmin}
          isOpen={opened === person.id}
          onToggle={() => setOpened(opened === person.id ? null : person.id)}
          onInvited={onInvited}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
}

interface RowProps extends Omit<ListProps, "team"> {
  person: PersonInfo;
  isMe: boolean;
  groups: readonly string[];
  isOpen: boolean;
  onToggle(): void;
}

function PersonRow({ person, isMe, groups, isAdmin, isOpen, onToggle, onInvited, onChanged }: RowProps) {
  const { name, handle, role, state } = person;
  const details = [`@${handle}`, ...(state === "active" ? [] : [text.stateName(state)]), ...groups];
  return (
    <li aria-label={name}>
      <div className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3">
        <Initials name={name} faded={state === "disabled"} />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-2 text-sm">
            <span className={`truncate ${state === "disabled" ? "text-faint line-through" : ""}`}>
              {name}
            </span>
            {isMe && (
              <span className="shrink-0 rounded-sm border border-line px-1.5 text-2xs text-muted">
                {text.you}
              </span>
            )}
          </p>
          <p className="truncate text-xs text-faint">{details.join(" · ")}</p>
        </div>
        <span className="shrink-0 text-xs text-muted">{text.roleName(role)}</span>
        {isAdmin && (
          <IconButton label={text.change(name)} onClick={onToggle}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      {isOpen && (
        <PersonActions
          person={person}
          isMe={isMe}
          onInvited={onInvited}
          onChanged={onChanged}
          onDone={onToggle}
        />
      )}
    </li>
  );
}

interface ActionsProps extends Pick<RowProps, "person" | "isMe" | "onInvited" | "onChanged"> {
  onDone(): void;
}

function PersonActions({ person, isMe, onInvited, onChanged, onDone }: ActionsProps) {
  const [asks, setAsks] = useState<"disable" | "reset" | null>(null);
  const { problem, waits, attempt } = useAttempt();
  const { id, name, role, state } = person;
  const change = (body: { role?: Role; disabled?: boolean }): void =>
    attempt(changePerson(id, body).then(onChanged));
  const reset = async (): Promise<void> => {
    onInvited(await resetPerson(id));
    onDone();
  };
  const disable = async (): Promise<void> => {
    await changePerson(id, { disabled: true });
    await onChanged();
  };
  return (
    <div className="border-t border-line bg-sunken px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <div role="group" aria-label={text.role} className="flex gap-1 rounded-md bg-canvas p-1 phone:w-full">
          {(["guest", "member", "admin"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === role}
              disabled={waits}
              onClick={() => change({ role: each })}
              className="h-7 flex-1 rounded-sm px-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink phone:h-11"
            >
              {text.roleName(each)}
            </button>
          ))}
        </div>
        <span className="flex-1" />
        {state !== "disabled" && !isMe && (
          <Button
            look="plain"
            disabled={waits}
            onClick={() => (state === "invited" ? attempt(reset()) : setAsks("reset"))}
          >
            {state === "invited" ? text.newLink : text.reset}
          </Button>
        )}
        {state === "disabled" ? (
          <Button look="plain" disabled={waits} onClick={() => change({ disabled: false })}>
            {text.enable}
          </Button>
        ) : (
          !isMe && (
            <Button look="danger" disabled={waits} onClick={() => setAsks("disable")}>
              {text.disable}
            </Button>
          )
        )}
      </div>
      <p className="mt-2 text-xs text-faint">{text.roleNote(role)}</p>
      {problem !== null && <Problem sentence={problem} />}
      {asks === "disable" && (
        <Confirm
          title={text.disableTitle(name)}
          description={text.disableNote}
          verb={text.disable}
          onClose={() => setAsks(null)}
          onConfirm={disable}
        />
      )}
      {asks === "reset" && (
        <Confirm
          title={text.resetTitle(name)}
          description={text.resetNote}
          verb={text.reset}
          onClose={() => setAsks(null)}
          onConfirm={reset}
        />
      )}
    </div>
  );
}
