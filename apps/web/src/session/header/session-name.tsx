// The session's name, which is also the way to change it: click, type, Enter.
import type { SessionInfo } from "@patchbay/protocol";
import { useEffect, useRef, useState } from "react";
import { updateSession } from "../../api/sessions.ts";
import { useMay } from "../../connection/use-may.ts";
import { errorMessage } from "../../format/error-message.ts";
import { withKey } from "../../navigation/action-keys.ts";
import { useRenaming } from "../../session-actions/use-renaming.ts";
import { useSessionList } from "../../session-list/session-list.ts";
import { sessionTexts } from "../texts.ts";

export function SessionName({ session }: { session: SessionInfo }) {
  const editing = useRenaming(({ id }) => id === session.id);
  const isOwner = useMay(session, "own");
  const edit = (on: boolean): void => useRenaming.setState({ id: on ? session.id : null });
  if (editing && isOwner) return <NameField session={session} onDone={() => edit(false)} />;
  return (
    <h1 className="-mx-1 min-w-0 phone:mx-0 phone:max-w-full">
      <button
        type="button"
        disabled={!isOwner}
        onClick={() => edit(true)}
        title={withKey(sessionTexts.rename, "rename")}
        className="block max-w-full truncate rounded-sm px-1 text-left font-medium hover:bg-hover phone:px-0"
      >
        {session.name}
      </button>
    </h1>
  );
}

function NameField({ session, onDone }: { session: SessionInfo; onDone(): void }) {
  const [name, setName] = useState(session.name);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const put = useSessionList((list) => list.put);
  useEffect(() => field.current?.select(), []);
  const save = (): void => {
    const wanted = name.trim();
    if (wanted === "" || wanted === session.name) return onDone();
    updateSession(session.id, { name: wanted }).then(
      (renamed) => {
        put(renamed);
        onDone();
      },
      (error: unknown) => setProblem(errorMessage(error)),
    );
  };
  return (
    <form
      className="flex min-w-0 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <input
        ref={field}
        value={name}
        maxLength={200}
        aria-label={sessionTexts.name}
        aria-invalid={problem !== null}
        onChange={(event) => setName(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDone();
        }}
        className="h-7 w-72 max-w-full rounded-sm border border-edge bg-canvas px-2 font-medium"
      />
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed">
          {problem}
        </span>
      )}
    </form>
  );
}
