// The fields of the new-session dialog.
import type { CreateSession, FoundSession, WorkerInfo } from "@patchbay/protocol";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../api/http/call.ts";
import { createSession, type Workers } from "../api/sessions.ts";
import { errorMessage } from "../format/error-message.ts";
import { shortDirectory } from "../format/path.ts";
import { plural } from "../format/plural.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox/combobox.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { FoundSessions } from "./found-sessions.tsx";
import { useFoundSessions } from "./use-found-sessions.ts";

type FieldName = "worker" | "cwd" | "model" | "form";

/** Which field an error of the server is about. */
const fieldOf: Readonly<Record<string, FieldName>> = {
  unknown_worker: "worker",
  worker_unavailable: "worker",
  bad_directory: "cwd",
};

export function NewSessionForm({ known, onClose }: { known: Workers; onClose(): void }) {
  const first = known.workers.find((worker) => worker.name === known.default_worker) ?? known.workers[0];
  const [worker, setWorker] = useState(first?.name ?? "");
  const [cwd, setCwd] = useState(known.default_cwd ?? "");
  const [model, setModel] = useState("");
  const [name, setName] = useState("");
  const [worktree, setWorktree] = useState(false);
  const [problem, setProblem] = useState<{ field: FieldName; message: string } | null>(null);
  const [starting, setStarting] = useState(false);
  const found = useFoundSessions(cwd.trim());
  const [continued, setContinued] = useState<FoundSession | null>(null);
  // Another directory has other sessions.
  const imported = continued !== null && found.sessions.includes(continued) ? continued : null;
  const offered = known.workers.filter(({ name }) => imported === null || imported.workers.includes(name));
  const [, navigate] = useLocation();
  const put = useSessionList((list) => list.put);
  const chosen = known.workers.find((candidate) => candidate.name === worker);
  const errorOf = (field: FieldName): string | undefined =>
    problem?.field === field ? problem.message : undefined;

  const start = (event: FormEvent): void => {
    event.preventDefault();
    if (cwd.trim() === "")
      return setProblem({ field: "cwd", message: "Say in which directory the agent shall work." });
    setStarting(true);
    setProblem(null);
    const body: CreateSession = {
      cwd: cwd.trim(),
      ...(worker === "" ? {} : { worker }),
      ...(model === "" ? {} : { model }),
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(imported === null ? {} : { import: { program: imported.program, session: imported.session } }),
      ...(worktree && imported === null ? { worktree } : {}),
    };
    createSession(body).then(
      (session) => {
        put(session);
        onClose();
        navigate(`/sessions/${session.id}`);
      },
      (error: unknown) => {
        setStarting(false);
        const field = error instanceof ApiError ? (fieldOf[error.code] ?? "form") : "form";
        setProblem({ field, message: errorMessage(error) });
      },
    );
  };

  return (
    <form onSubmit={start} className="flex flex-col gap-4">
      <Field label="Worker" hint={describeWorker(chosen, imported)} error={errorOf("worker")}>
        {(control) => (
          <Select
            {...control}
            value={worker}
            onChange={(event) => {
              setWorker(event.target.value);
              setModel("");
            }}
          >
            {/* Those that are missing can be chosen too: the hint then says how to install them. */}
            {offered.map((candidate) => (
              <option key={candidate.name} value={candidate.name}>
                {candidate.name}
                {candidate.available ? "" : " (not installed)"}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Directory" hint={directoryHint(known)} error={errorOf("cwd")}>
        {(control) => (
          <input
            {...control}
            value={cwd}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setCwd(event.target.value)}
            className={`${controlClass} font-mono text-sm`}
          />
        )}
      </Field>
      {imported === null && <WorktreeChoice chosen={worktree} onChoose={setWorktree} />}
      <FoundSessions
        found={found}
        chosen={imported}
        onChoose={(session) => {
          setContinued(session);
          setWorker(session?.workers[0] ?? first?.name ?? "");
          setModel("");
        }}
        onLeave={onClose}
      />
      <Field label="Model" hint={modelHint(chosen)} error={errorOf("model")}>
        {({ id }) => (
          <Combobox
            id={id}
            label="Model"
            look="field"
            value={model}
            onChoose={setModel}
            empty="This worker chooses its own model."
            options={[
              { value: "", label: "The worker's default", detail: "" },
              ...(chosen?.models ?? []).map((option) => ({
                value: option.provider === "" ? option.id : `${option.provider}/${option.id}`,
                label: option.id,
                detail: option.provider,
              })),
            ]}
            shown={model === "" ? "The worker's default" : model}
          />
        )}
      </Field>
      <Field
        label="Name"
        hint={
          imported === null
            ? "Optional. The first prompt names the session otherwise."
            : "Optional. It keeps its own otherwise."
        }
      >
        {(control) => (
          <input
            {...control}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
            className={controlClass}
          />
        )}
      </Field>
      {errorOf("form") !== undefined && (
        <p role="alert" className="text-sm text-failed">
          {errorOf("form")}
        </p>
      )}
      {/* In sight however long the list of found sessions makes the form. */}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-panel px-5 py-3">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" disabled={starting || chosen?.available === false}>
          {starting ? "Starting…" : imported === null ? "Start session" : "Continue session"}
        </Button>
      </div>
    </form>
  );
}

const WorktreeChoice = ({ chosen, onChoose }: { chosen: boolean; onChoose(chosen: boolean): void }) => (
  <label className="-mt-2 flex min-h-8 items-start gap-2.5 text-sm phone:min-h-11">
    <input
      type="checkbox"
      checked={chosen}
      onChange={(event) => onChoose(event.target.checked)}
      className="mt-1 accent-[var(--fill)]"
    />
    <span>
      In a git worktree of its own
      <span className="block text-xs text-faint">
        A branch and a directory for this session alone, so that several agents can work on one repository.
      </span>
    </span>
  </label>
);

function describeWorker(worker: WorkerInfo | undefined, imported: FoundSession | null): string {
  if (imported !== null && worker !== undefined)
    return worker.name === "builtin"
      ? `Patchbay's own agent is given what was said in ${imported.program}`
      : `${worker.name} goes on with its own file`;
  if (worker === undefined) return "There is no worker to start.";
  if (!worker.available) {
    const reason = worker.reason ?? "This worker cannot be started here.";
    return worker.install === undefined ? reason : `${reason} To install it: ${worker.install}`;
  }
  return worker.name === "builtin" ? "Patchbay's own agent" : `Speaks ${worker.dialect}`;
}

function directoryHint(known: Workers): string {
  const all = known.directories ?? [];
  // A directory inside another one that is listed says nothing new.
  const roots = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
  return roots.length === 0
    ? "Where the agent reads, writes and runs."
    : `Inside ${roots.map(shortDirectory).join(" or ")}`;
}

function modelHint(worker: WorkerInfo | undefined): string {
  const models = worker?.models ?? [];
  if (models.length === 0) return "This worker chooses its own model.";
  const onlyDemo = models.every((model) => model.provider === "demo");
  return onlyDemo
    ? "No key is set on the server, so only the offline demo model is there."
    : `${plural(models.length, "model")} can be used with the server's keys`;
}
