// More for a budget: once, for the period that runs, or for good by raising its limit. Either way with a reason,
// which is kept.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";
import { formatDollars } from "../../format/money.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { controlClass, Field } from "../../ui/field.tsx";
import { changeBudget, grantBudget } from "./data/api.ts";
import { spentLabel } from "./data/budget-labels.ts";
import { budgetTexts } from "./data/texts.ts";
import { ReasonField } from "./reason-field.tsx";

interface Props {
  budget: Budget;
  status: BudgetStatus;
  onClose(): void;
  onDone(budget: Budget): void;
}

type How = "once" | "raise";

export function GrantDialog({ budget, status, onClose, onDone }: Props) {
  const canGrant = budget.period !== "turn";
  const canRaise = budget.source === "api";
  const [how, setHow] = useState<How>(canGrant ? "once" : "raise");
  const [amount, setAmount] = useState(String(round(budget.limit_usd / 2)));
  const [limit, setLimit] = useState(String(round(budget.limit_usd * 1.5)));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const dollars = Number(how === "once" ? amount : limit);
    if (!(dollars > 0)) return setProblem(budgetTexts.amountMissing);
    if (reason.trim() === "") return setProblem(budgetTexts.reasonMissing);
    setWaits(true);
    setProblem(null);
    const asked =
      how === "once"
        ? grantBudget(budget.id, { amount_usd: dollars, reason: reason.trim(), target: status.target })
        : changeBudget(budget.id, { limit_usd: dollars, reason: reason.trim() });
    asked.then(onDone, (error: unknown) => setProblem(errorMessage(error))).finally(() => setWaits(false));
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={budgetTexts.moreFor(budget.name)}
      description={budgetTexts.spentSoFar(spentLabel(status))}
    >
      <form onSubmit={submit} onChange={() => setProblem(null)} className="grid gap-3">
        {canGrant && canRaise && (
          <div role="radiogroup" aria-label={budgetTexts.how} className="grid grid-cols-2 gap-2">
            <Choice
              value="once"
              chosen={how}
              onChoose={setHow}
              title={budgetTexts.grantOnce}
              note={budgetTexts.thisPeriodOnly}
            />
            <Choice
              value="raise"
              chosen={how}
              onChoose={setHow}
              title={budgetTexts.raiseLimit}
              note={budgetTexts.fromNowOn}
            />
          </div>
        )}
        {how === "once" ? (
          <Dollars
            label={budgetTexts.extraAmount}
            value={amount}
            onChange={setAmount}
            hint={budgetTexts.limitAfterGrant(formatDollars(status.limit_usd + (Number(amount) || 0)))}
          />
        ) : (
          <Dollars
            label={budgetTexts.newLimit}
            value={limit}
            onChange={setLimit}
            hint={budgetTexts.currentLimit(formatDollars(budget.limit_usd))}
          />
        )}
        <ReasonField value={reason} onChange={setReason} problem={problem} />
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            {budgetTexts.cancel}
          </Button>
          <Button look="primary" type="submit" disabled={waits}>
            {how === "once" ? budgetTexts.grant : budgetTexts.raise}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  value: How;
  chosen: How;
  title: string;
  note: string;
  onChoose(how: How): void;
}

const Choice = ({ value, chosen, title, note, onChoose }: ChoiceProps) => (
  <button
    type="button"
    role="radio"
    aria-checked={value === chosen}
    onClick={() => onChoose(value)}
    className={`rounded-md border px-3 py-2 text-left text-sm ${value === chosen ? "border-accent bg-needs-soft" : "border-edge hover:bg-hover"}`}
  >
    <span className="block font-medium">{title}</span>
    <span className="text-xs text-muted">{note}</span>
  </button>
);

interface DollarsProps {
  label: string;
  value: string;
  hint: string;
  onChange(value: string): void;
}

export const Dollars = ({ label, value, hint, onChange }: DollarsProps) => (
  <Field label={label} hint={hint}>
    {(control) => (
      <div className="relative">
        <span aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-faint">
          $
        </span>
        <input
          {...control}
          inputMode="decimal"
          value={value}
          onChange={(event) => onChange(event.target.value.replace(",", "."))}
          className={`${controlClass} pl-7 tabular-nums`}
        />
      </div>
    )}
  </Field>
);

const round = (dollars: number): number => Number(dollars.toPrecision(3));
