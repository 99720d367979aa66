// Which project, agent, session or person a budget is for; none of them: each has it for itself.
import type { BudgetScope } from "@patchbay/protocol";
import { shortDirectory } from "../../format/path.ts";
import { useSessionList } from "../../session-list/session-list.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { agentLabel } from "../data/labels.ts";
import { eachLabel } from "./data/budget-labels.ts";
import { budgetTexts } from "./data/texts.ts";

interface Props {
  scope: BudgetScope;
  target: string;
  onChange(target: string): void;
}

export function TargetField({ scope, target, onChange }: Props) {
  const listing = useSessionList((list) => list.listing);
  const sessions = listing.state === "ready" ? listing.sessions : [];
  if (scope === "everything") return null;
  const choices: [value: string, label: string][] =
    scope === "project"
      ? unique(sessions.map(({ cwd, project }) => project ?? cwd)).map((path) => [path, shortDirectory(path)])
      : scope === "worker"
        ? unique(sessions.map(({ worker }) => worker)).map((worker) => [worker, agentLabel(worker)])
        : scope === "session"
          ? sessions.map(({ id, name }) => [id, name])
          : [];
  return (
    <Field label={budgetTexts.which}>
      {(control) => (
        <Select {...control} value={target} onChange={(event) => onChange(event.target.value)}>
          <option value="">{budgetTexts.eachSeparately(eachLabel(scope))}</option>
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();
