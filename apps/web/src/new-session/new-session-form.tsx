// The fields of the new-session dialog. What the server refuses is shown beside the field it is about.
import type { CreateSession, FoundSession, WorkerInfo } from "@patchbay/protocol";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Workers } from "../api/sessions.ts";
import { agentName } from "../format/agent-name.ts";
import { shortDirectory } from "../format/path.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { enterMeaning } from "../preferences/send-key.ts";
import { useSessions } from "../session-list/session-list.ts";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox/combobox.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { DirectoryPicker } from "./directory/directory-picker.tsx";
import { FoundSessions } from "./found-sessions.tsx";
import { modelLabel, startModelOptions } from "./model-options.ts";
import { modelFor, recentDirectories, suggestedChoice } from "./start-choices.ts";
import { newSessionTexts } from "./texts.ts";
import { useFoundSessions } from "./use-found-sessions.ts";
import { useStartSession } from "./use-start-session.ts";

export function NewSessionForm({ known, onClose }: { known: Workers; onClose(): void }) {
  const sessions = useSessions();
  const [suggested] = useState(() => suggestedChoice(known, sessions));
  const [worker, setWorker] = useState(suggested.worker);
  const [cwd, setCwd] = useState(suggested.cwd);
  const [model, setModel] = useState(suggested.model);
  const [prompt, setPrompt] = useState("");
  const [name, setName] = useState("");
  const [worktree, setWorktree] = useState(false);
  const [lacksDirectory, setLacksDirectory] = useState(false);
  const { start, starting, problemOf } = useStartSession();
  const found = useFoundSessions(cwd);
  const [continued, setContinued] = useState<FoundSession | null>(null);
  // Another directory has other sessions.
  const imported = continued !== null && found.sessions.includes(continued) ? continued : null;
  const offered = known.workers.filter(({ name }) => imported === null || imported.workers.includes(name));
  const chosen = known.workers.find((candidate) => candidate.name === worker);
  const cwdProblem = lacksDirectory && cwd === "" ? newSessionTexts.chooseDirectoryFirst : problemOf("cwd");

  const sendKey = usePreferences((preferences) => preferences.sendKey);
  const form = useRef<HTMLFormElement>(null);
  const [hasDirectory] = useState(cwd !== "");
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(hasDirectory ? "textarea" : "[data-directory]")?.focus();
  }, [hasDirectory]);

  const submit = (): void => {
    if (cwd === "") return setLacksDirectory(true);
    const request: CreateSession = {
      cwd,
      ...(worker === "" ? {} : { worker }),
      ...(model === "" ? {} : { model }),
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(imported === null ? {} : { import: { program: imported.program, session: imported.session } }),
      ...(worktree && imported === null ? { worktree } : {}),
    };
    const first = prompt.trim() === "" ? undefined : { message: prompt.trim(), images: [] };
    start(request, first, onClose);
  };
  const onPromptKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || enterMeaning(event, sendKey) === null) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      ref={form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-col gap-4"
    >
      <Field label={newSessionTexts.directory} hint={directoryHint(known)} error={cwdProblem}>
        {({ id, "aria-describedby": described, "aria-invalid": invalid }) => (
          <DirectoryPicker
            id={id}
            aria-describedby={described}
            invalid={invalid}
            look="field"
            cwd={cwd}
            recent={recentDirectories(sessions)}
            onChoose={setCwd}
          />
        )}
      </Field>
      <Field label={newSessionTexts.firstPrompt} hint={newSessionTexts.firstPromptHint}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={prompt}
            dir="auto"
            placeholder={newSessionTexts.askPlaceholder}
            onChange={(event) => setPrompt(event.target.value)}
            onKeyDown={onPromptKey}
            className={`${controlClass} h-auto resize-none py-2 phone:h-auto phone:text-[1rem]`}
          />
        )}
      </Field>
      {imported === null && <WorktreeChoice chosen={worktree} onChoose={setWorktree} />}
      <FoundSessions
        found={found}
        chosen={imported}
        onChoose={(session) => {
          const next = session?.workers[0] ?? suggested.worker;
          setContinued(session);
          setWorker(next);
          setModel(modelFor(known, next));
        }}
        onLeave={onClose}
      />
      <Field label={newSessionTexts.agent} hint={describeAgent(chosen, imported)} error={problemOf("worker")}>
        {(control) => (
          <Select
            {...control}
            value={worker}
            onChange={(event) => {
              setWorker(event.target.value);
              setModel(modelFor(known, event.target.value));
            }}
          >
            {/* Those that are missing can be chosen too: the hint then says how to install them. */}
            {offered.map((candidate) => (
              <option key={candidate.name} value={candidate.name}>
                {candidate.available
                  ? agentName(candidate.name)
                  : newSessionTexts.notInstalled(agentName(candidate.name))}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={newSessionTexts.model} hint={modelHint(chosen)}>
        {({ id }) => (
          <Combobox
            id={id}
            label={newSessionTexts.model}
            look="field"
            value={model}
            onChoose={setModel}
            empty={newSessionTexts.ownModel}
            options={startModelOptions(chosen)}
            shown={modelLabel(model)}
          />
        )}
      </Field>
      <Field
        label={newSessionTexts.name}
        hint={imported === null ? newSessionTexts.nameHint : newSessionTexts.keepsName}
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
      {problemOf("form") !== undefined && (
        <p role="alert" className="text-sm text-failed">
          {problemOf("form")}
        </p>
      )}
      {/* In sight however long the list of found sessions makes the form. */}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-panel px-5 py-3">
        <Button look="quiet" onClick={onClose}>
          {newSessionTexts.cancel}
        </Button>
        <Button look="primary" type="submit" disabled={starting || chosen?.available === false}>
          {starting
            ? newSessionTexts.starting
            : imported === null
              ? newSessionTexts.start
              : newSessionTexts.continueSession}
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
      {newSessionTexts.worktree}
      <span className="block text-xs text-faint">{newSessionTexts.worktreeHint}</span>
    </span>
  </label>
);

function describeAgent(worker: WorkerInfo | undefined, imported: FoundSession | null): string {
  if (imported !== null && worker !== undefined)
    return worker.name === "builtin"
      ? newSessionTexts.builtInContinues(imported.program)
      : newSessionTexts.programContinues(worker.name);
  if (worker === undefined) return newSessionTexts.noAgent;
  if (!worker.available) {
    const reason = worker.reason ?? newSessionTexts.agentUnavailable;
    return worker.install === undefined ? reason : newSessionTexts.howToInstall(reason, worker.install);
  }
  return worker.name === "builtin" ? newSessionTexts.builtInHint : newSessionTexts.speaks(worker.dialect);
}

function directoryHint(known: Workers): string {
  const all = known.directories ?? [];
  // A directory inside another one that is listed says nothing new.
  const roots = all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
  return roots.length === 0
    ? newSessionTexts.directoryHint
    : newSessionTexts.directoryRoots(roots.map(shortDirectory).join(newSessionTexts.or));
}

function modelHint(worker: WorkerInfo | undefined): string {
  const models = worker?.models ?? [];
  if (models.length === 0) return newSessionTexts.ownModel;
  return models.every((model) => model.provider === "demo")
    ? newSessionTexts.onlyDemo
    : newSessionTexts.modelsAvailable(models.length);
}
