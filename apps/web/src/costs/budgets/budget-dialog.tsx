// Creates a budget, or changes one. What it is for cannot be changed later: what was spent would mean something else.
import { type Budget, type BudgetPeriod, type BudgetScope, makesRoom } from "@patchbay/protocol";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { controlClass, Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { changeBudget, createBudget } from "./data/api.ts";
import { periodLabel, scopeLabel } from "./data/budget-labels.ts";
import { budgetTexts } from "./data/texts.ts";
import { Dollars } from "./grant-dialog.tsx";
import { ReasonField } from "./reason-field.tsx";
import { TargetField } from "./target-field.tsx";

interface Props {
  /** Null: a new one. */
  budget: Budget | null;
  onClose(): void;
  onDone(): void;
}

const scopes: readonly BudgetScope[] = ["everything", "project", "worker", "session", "person"];
const periods: readonly BudgetPeriod[] = ["turn", "day", "week", "month", "total"];

export function BudgetDialog({ budget, onClose, onDone }: Props) {
  const [name, setName] = useState(budget?.name ?? "");
  const [scope, setScope] = useState<BudgetScope>(budget?.scope ?? "everything");
  const [target, setTarget] = useState(budget?.target ?? "");
  const [period, setPeriod] = useState<BudgetPeriod>(budget?.period ?? "month");
  const [limit, setLimit] = useState(String(budget?.limit_usd ?? "50"));
  const [kind, setKind] = useState(budget?.kind ?? "hard");
  const [unpriced, setUnpriced] = useState(budget?.unpriced ?? "refuse");
  const [warn, setWarn] = useState(String(budget?.warn_percent ?? 80));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);

  const asksWhy = budget !== null && makesRoom(budget, { limit_usd: Number(limit), kind, unpriced });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const limit_usd = Number(limit);
    const warn_percent = Number(warn);
    if (name.trim() === "") return setProblem(budgetTexts.nameMissing);
    if (!(limit_usd > 0)) return setProblem(budgetTexts.amountMissing);
    if (!(warn_percent >= 1 && warn_percent <= 100)) return setProblem(budgetTexts.percentWrong);
    if (asksWhy && reason.trim() === "") return setProblem(budgetTexts.reasonForRoom);
    setWaits(true);
    setProblem(null);
    const terms = { name: name.trim(), limit_usd, kind, warn_percent, unpriced };
    const asked =
      budget === null
        ? createBudget({
            ...terms,
            scope,
            period,
            target: target === "" ? null : target,
            time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          })
        : changeBudget(budget.id, { ...terms, ...(asksWhy ? { reason: reason.trim() } : {}) });
    asked.then(onDone, (error: unknown) => setProblem(errorMessage(error))).finally(() => setWaits(false));
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={budget === null ? budgetTexts.newBudget : budgetTexts.budgetNamed(budget.name)}
    >
      <form onSubmit={submit} onChange={() => setProblem(null)} className="grid gap-3">
        <Field label={budgetTexts.name}>
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.target.value)}
              placeholder={budgetTexts.namePlaceholder}
              className={controlClass}
            />
          )}
        </Field>
        {budget === null && (
          <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
            <Field label={budgetTexts.appliesTo}>
              {(control) => (
                <Select
                  {...control}
                  value={scope}
                  onChange={(event) => {
                    setScope(scopes.find((one) => one === event.target.value) ?? "everything");
                    setTarget("");
                  }}
                >
                  {scopes.map((one) => (
                    <option key={one} value={one}>
                      {scopeLabel(one)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <TargetField scope={scope} target={target} onChange={setTarget} />
          </div>
        )}
        <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
          <Dollars label={budgetTexts.limit} value={limit} onChange={setLimit} hint="" />
          {budget === null && (
            <Field label={budgetTexts.period}>
              {(control) => (
                <Select
                  {...control}
                  value={period}
                  onChange={(event) =>
                    setPeriod(periods.find((one) => one === event.target.value) ?? "month")
                  }
                >
                  {periods.map((one) => (
                    <option key={one} value={one}>
                      {periodLabel(one)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        </div>
        <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
          <Field
            label={budgetTexts.atTheLimit}
            hint={kind === "hard" ? budgetTexts.stopHint : budgetTexts.warnHint}
          >
            {(control) => (
              <Select
                {...control}
                value={kind}
                onChange={(event) => setKind(event.target.value === "hard" ? "hard" : "soft")}
              >
                <option value="hard">{budgetTexts.stop}</option>
                <option value="soft">{budgetTexts.onlyWarn}</option>
              </Select>
            )}
          </Field>
          <Field label={budgetTexts.warnAt} hint={budgetTexts.percentOfLimit}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={warn}
                onChange={(event) => setWarn(event.target.value)}
                className={`${controlClass} tabular-nums`}
              />
            )}
          </Field>
        </div>
        {kind === "hard" && (
          <Field
            label={budgetTexts.unpricedModels}
            hint={unpriced === "refuse" ? budgetTexts.refuseHint : budgetTexts.allowHint}
          >
            {(control) => (
              <Select
                {...control}
                value={unpriced}
                onChange={(event) => setUnpriced(event.target.value === "allow" ? "allow" : "refuse")}
              >
                <option value="refuse">{budgetTexts.refuseUnpriced}</option>
                <option value="allow">{budgetTexts.allowUnpriced}</option>
              </Select>
            )}
          </Field>
        )}
        {asksWhy && <ReasonField value={reason} onChange={setReason} />}
        {problem !== null && (
          <p role="alert" className="text-sm text-failed">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            {budgetTexts.cancel}
          </Button>
          <Button look="primary" type="submit" disabled={waits}>
            {budget === null ? budgetTexts.create : budgetTexts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
