// How new sessions start: directory, agent and model in this browser; approvals for the whole server.
import { ApprovalMode, type WorkerInfo } from "@patchbay/protocol";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { useFetched } from "../api/http/use-fetched.ts";
import { readSafety, updateSafety } from "../api/safety.ts";
import { listWorkers } from "../api/sessions.ts";
import { agentName, providerName } from "../format/agent-name.ts";
import { errorMessage } from "../format/error-message.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { approvalModes } from "../safety/approval-modes.ts";
import { Button } from "../ui/button.tsx";
import { controlClass } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { SettingRow, SettingSection } from "./setting-row.tsx";
import { settingsTexts as text } from "./texts.ts";

export default function NewSessionSettings({ onClose }: { onClose(): void }) {
  const { data } = useFetched("workers", listWorkers);
  const [, navigate] = useLocation();
  const workers = data?.workers.filter(({ available }) => available) ?? [];
  return (
    <SettingSection title={text.newSessions}>
      <DefaultDirectory />
      <DefaultAgent workers={workers} serverDefault={data?.default_worker ?? "builtin"} />
      <DefaultModel workers={workers} />
      <DefaultApprovals />
      <div className="py-2.5">
        <Button
          look="plain"
          onClick={() => {
            onClose();
            navigate("/setup");
          }}
        >
          {text.manageKeys}
        </Button>
      </div>
    </SettingSection>
  );
}

function DefaultDirectory() {
  const { defaultDirectory, prefer } = usePreferences();
  const [written, setWritten] = useState(defaultDirectory);
  const id = useId();
  return (
    <SettingRow title={text.directory} note={text.directoryNote} labels={id}>
      <div className="w-[300px] shrink-0 phone:w-full">
        <input
          id={id}
          aria-describedby={`${id}-note`}
          value={written}
          placeholder={text.directoryLast}
          spellCheck={false}
          autoComplete="off"
          maxLength={4_096}
          onChange={(event) => {
            setWritten(event.target.value);
            prefer({ defaultDirectory: event.target.value.trim() });
          }}
          className={`${controlClass} font-mono text-sm placeholder:font-sans`}
        />
      </div>
    </SettingRow>
  );
}

interface AgentProps {
  workers: readonly WorkerInfo[];
  serverDefault: string;
}

function DefaultAgent({ workers, serverDefault }: AgentProps) {
  const { defaultAgent, prefer } = usePreferences();
  const id = useId();
  const isKnown = defaultAgent === "" || workers.some(({ name }) => name === defaultAgent);
  return (
    <SettingRow title={text.agent} labels={id}>
      <div className="w-[300px] shrink-0 phone:w-full">
        <Select
          id={id}
          value={defaultAgent}
          onChange={(event) => prefer({ defaultAgent: event.target.value })}
        >
          <option value="">{text.agentDefault(agentName(serverDefault))}</option>
          {workers.map(({ name }) => (
            <option key={name} value={name}>
              {agentName(name)}
            </option>
          ))}
          {!isKnown && <option value={defaultAgent}>{text.modelUnavailable(agentName(defaultAgent))}</option>}
        </Select>
      </div>
    </SettingRow>
  );
}

function DefaultModel({ workers }: { workers: readonly WorkerInfo[] }) {
  const { defaultModel, prefer } = usePreferences();
  const id = useId();
  const models = new Map<string, Set<string>>();
  for (const { provider, id: model } of workers.flatMap((worker) => worker.models ?? []))
    models.set(provider, (models.get(provider) ?? new Set()).add(model));
  const isKnown =
    defaultModel === "" ||
    [...models].some(([provider, ids]) => [...ids].some((model) => `${provider}/${model}` === defaultModel));
  return (
    <SettingRow title={text.model} note={text.modelNote} labels={id}>
      <div className="w-[300px] shrink-0 phone:w-full">
        <Select
          id={id}
          aria-describedby={`${id}-note`}
          value={defaultModel}
          onChange={(event) => prefer({ defaultModel: event.target.value })}
        >
          <option value="">{text.modelDefault}</option>
          {!isKnown && <option value={defaultModel}>{text.modelUnavailable(defaultModel)}</option>}
          {[...models].map(([provider, ids]) => (
            <optgroup key={provider} label={providerName(provider)}>
              {[...ids].map((model) => (
                <option key={model} value={`${provider}/${model}`}>
                  {model}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </div>
    </SettingRow>
  );
}

function DefaultApprovals() {
  const known = useFetched("safety", readSafety);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const { data } = known;
  if (data === null) return null;
  const choose = (value: string): void => {
    const mode = ApprovalMode.safeParse(value);
    setProblem(null);
    updateSafety({ approvals: mode.success ? mode.data : null }).then(known.refetch, (error: unknown) =>
      setProblem(errorMessage(error)),
    );
  };
  const modes = approvalModes();
  const labelOf = (mode: string): string => modes.find(({ value }) => value === mode)?.label ?? mode;
  const isFixed = data.approvals_by === "config";
  return (
    <SettingRow
      title={text.approvals}
      note={problem ?? (isFixed ? text.approvalsConfigured : text.approvalsNote)}
      labels={id}
    >
      <div className="w-[300px] shrink-0 phone:w-full">
        <Select
          id={id}
          aria-describedby={`${id}-note`}
          aria-invalid={problem !== null}
          disabled={isFixed}
          value={data.approvals_by === "default" ? "" : data.approvals}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">
            {data.approvals_by === "default"
              ? text.approvalsDefault(labelOf(data.approvals))
              : text.approvalsNone}
          </option>
          {modes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
    </SettingRow>
  );
}
