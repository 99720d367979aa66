// Groups of people, to share sessions with all of them at once.
import { useState } from "react";
import { removeGroup, saveGroup, type Team, type TeamGroup } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { controlClass } from "../ui/field.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { peopleTexts as text } from "./texts.ts";

interface Props {
  team: Team;
  isAdmin: boolean;
  onChanged(): Promise<void>;
}

export function Groups({ team, isAdmin, onChanged }: Props) {
  const [edited, setEdited] = useState<string | null>(null);
  if (!isAdmin && team.groups.length === 0) return null;
  return (
    <section aria-labelledby="people-groups">
      <h3 id="people-groups" className="text-sm font-semibold">
        {text.groups}
      </h3>
      <p className="mt-1 text-sm text-muted">{text.groupsNote}</p>
      {team.groups.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-md border border-line">
          {team.groups.map((group) => (
            <li key={group.id} aria-label={group.name}>
              <div className="flex min-h-12 items-center gap-3 py-1.5 pr-2 pl-3">
                <div className="min-w-0 flex-1">
                  <p className="truncate text-sm">{group.name}</p>
                  <p className="truncate text-xs text-faint">{namesOf(group, team)}</p>
                </div>
                {isAdmin && (
                  <Button
                    look="quiet"
                    label={text.change(group.name)}
                    onClick={() => setEdited(edited === group.id ? null : group.id)}
                  >
                    {edited === group.id ? text.close : text.edit}
                  </Button>
                )}
              </div>
              {edited === group.id && <GroupMembers group={group} team={team} onChanged={onChanged} />}
            </li>
          ))}
        </ul>
      )}
      {isAdmin && <NewGroup onChanged={onChanged} />}
    </section>
  );
}

const namesOf = ({ members }: TeamGroup, { people }: Team): string =>
  members.length === 0
    ? text.emptyGroup
    : people
        .filter(({ id }) => members.includes(id))
        .map(({ name }) => name)
        .join(", ");

function GroupMembers({ group, team, onChanged }: Omit<Props, "isAdmin"> & { group: TeamGroup }) {
  const { problem, waits, attempt } = useAttempt();
  const [asks, setAsks] = useState(false);
  const toggle = (person: string, isIn: boolean): void => {
    const members = isIn ? [...group.members, person] : group.members.filter((id) => id !== person);
    attempt(saveGroup({ ...group, members }).then(onChanged));
  };
  return (
    <div className="border-t border-line bg-sunken px-3 py-2.5">
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {team.people.map(({ id, name }) => (
          <label key={id} className="flex min-h-7 items-center gap-2 text-sm phone:min-h-11">
            <input
              type="checkbox"
              disabled={waits}
              checked={group.members.includes(id)}
              onChange={(event) => toggle(id, event.target.checked)}
            />
            {name}
          </label>
        ))}
      </div>
      <div className="mt-2">
        <Button look="danger" disabled={waits} onClick={() => setAsks(true)}>
          {text.removeGroup}
        </Button>
      </div>
      {problem !== null && <Problem sentence={problem} />}
      {asks && (
        <Confirm
          title={text.removeGroupTitle(group.name)}
          description={text.removeGroupNote}
          verb={text.removeGroup}
          onClose={() => setAsks(false)}
          onConfirm={() => removeGroup(group.id).then(onChanged)}
        />
      )}
    </div>
  );
}

function NewGroup({ onChanged }: Pick<Props, "onChanged">) {
  const [name, setName] = useState("");
  const { problem, waits, attempt } = useAttempt();
  const add = (): void => {
    if (name.trim() === "") return;
    attempt(
      saveGroup({ name, members: [] }).then(() => {
        setName("");
        return onChanged();
      }),
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      className="mt-3"
    >
      <div className="flex gap-2">
        <input
          aria-label={text.groupName}
          placeholder={text.groupName}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
          className={`${controlClass} max-w-[260px]`}
        />
        <Button look="plain" type="submit" disabled={waits || name.trim() === ""}>
          {text.addGroup}
        </Button>
      </div>
      {problem !== null && <Problem sentence={problem} />}
    </form>
  );
}
