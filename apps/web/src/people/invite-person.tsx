// Adds a person and shows their invitation link. The name to log in with is suggested from their name.
import type { Role } from "@patchbay/protocol";
import { useState } from "react";
import { addPerson, type Invited } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { Problem, useAttempt } from "./attempt.tsx";
import { peopleTexts as text } from "./texts.ts";

const suggestion = (name: string): string =>
  (name.trim().split(/\s+/)[0] ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "")
    .replace(/^[._-]+/, "");

const asRole = (value: string): Role => (value === "admin" || value === "guest" ? value : "member");

export function InvitePerson({ isFirst, onInvited }: { isFirst: boolean; onInvited(answer: Invited): void }) {
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const [role, setRole] = useState<Role>("member");
  const { problem, setProblem, waits, attempt } = useAttempt();
  const handle = typed ?? suggestion(name);
  const add = (): void => {
    if (name.trim() === "" || handle.trim() === "") return setProblem(text.needsName);
    attempt(
      addPerson({ handle, name, role }).then((answer) => {
        setName("");
        setTyped(null);
        setRole("member");
        onInvited(answer);
      }),
    );
  };
  return (
    <form
      aria-label={isFirst ? text.inviteTeam : text.invite}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      className="mt-4"
    >
      <div className="grid grid-cols-[1fr_1fr_140px] gap-3 phone:grid-cols-1">
        <Field label={text.name}>
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
        <Field label={text.handle}>
          {(control) => (
            <input
              {...control}
              value={handle}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              className={controlClass}
            />
          )}
        </Field>
        <Field label={text.role}>
          {(control) => (
            <Select {...control} value={role} onChange={(event) => setRole(asRole(event.target.value))}>
              {(["guest", "member", "admin"] as const).map((each) => (
                <option key={each} value={each}>
                  {text.roleName(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <div className="mt-1 flex items-center gap-3 phone:flex-col phone:items-stretch">
        <Button look="primary" type="submit" disabled={waits}>
          {text.invite}
        </Button>
        <p className="text-xs text-faint">{text.roleNote(role)}</p>
      </div>
      {problem !== null && <Problem sentence={problem} />}
    </form>
  );
}
