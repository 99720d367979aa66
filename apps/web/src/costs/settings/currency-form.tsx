// The currency in which amounts are shown, with the rate that a person enters and its day.
import type { ChangeCostSettings, CostSettingsInfo } from "@patchbay/protocol";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";
import { Button } from "../../ui/button.tsx";
import { controlClass, Field } from "../../ui/field.tsx";
import { dateOf } from "../data/span.ts";
import { costSettingsTexts } from "./texts.ts";

interface Props {
  currency: CostSettingsInfo["currency"];
  onChange(change: ChangeCostSettings): Promise<void>;
}

export function CurrencyForm({ currency, onChange }: Props) {
  const [code, setCode] = useState(currency?.code ?? "");
  const [rate, setRate] = useState(currency === null ? "" : String(currency.per_usd));
  const [date, setDate] = useState(() => currency?.date ?? dateOf(new Date()));
  const [problem, setProblem] = useState<{ of: "code" | "rate" | "all"; text: string } | null>(null);
  const [waits, setWaits] = useState(false);
  if (currency?.source === "config")
    return (
      <p className="px-4 pt-1 pb-4 text-sm phone:px-3">
        {costSettingsTexts.shownIn(currency.code, String(currency.per_usd), currency.date)}
        <span className="ml-2 text-xs text-faint">{costSettingsTexts.inConfig}</span>
      </p>
    );
  const send = (change: ChangeCostSettings): void => {
    setWaits(true);
    setProblem(null);
    onChange(change).catch((error: unknown) => {
      setProblem({ of: "all", text: errorMessage(error) });
      setWaits(false);
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const per_usd = Number(rate.replace(",", "."));
    if (!/^[A-Z]{3}$/.test(code)) return setProblem({ of: "code", text: costSettingsTexts.codeWrong });
    if (!(per_usd > 0)) return setProblem({ of: "rate", text: costSettingsTexts.rateWrong });
    send({ currency: { code, per_usd, date } });
  };
  return (
    <form onSubmit={submit} onChange={() => setProblem(null)} className="px-4 pt-1 pb-4 phone:px-3">
      <p className="mb-3 text-sm text-muted">{costSettingsTexts.currencyHint}</p>
      <div className="grid grid-cols-3 items-start gap-3 phone:grid-cols-1">
        <Field
          label={costSettingsTexts.code}
          hint={costSettingsTexts.codeHint}
          error={problem?.of === "code" ? problem.text : undefined}
        >
          {(control) => (
            <input
              {...control}
              value={code}
              maxLength={3}
              autoCapitalize="characters"
              placeholder={costSettingsTexts.codeExample}
              onChange={(event) => setCode(event.target.value.toUpperCase())}
              className={controlClass}
            />
          )}
        </Field>
        <Field
          label={costSettingsTexts.rate}
          hint={code}
          error={problem?.of === "rate" ? problem.text : undefined}
        >
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              value={rate}
              placeholder="0.92"
              onChange={(event) => setRate(event.target.value)}
              className={`${controlClass} tabular-nums`}
            />
          )}
        </Field>
        <Field label={costSettingsTexts.rateDate}>
          {(control) => (
            <input
              {...control}
              type="date"
              required
              value={date}
              onChange={(event) => setDate(event.target.value)}
              className={controlClass}
            />
          )}
        </Field>
      </div>
      {problem?.of === "all" && (
        <p role="alert" className="mt-1 text-sm text-failed">
          {problem.text}
        </p>
      )}
      <div className="mt-3 flex gap-2">
        <Button look="primary" type="submit" disabled={waits}>
          {costSettingsTexts.save}
        </Button>
        {currency !== null && (
          <Button look="quiet" disabled={waits} onClick={() => send({ currency: null })}>
            {costSettingsTexts.showDollars}
          </Button>
        )}
      </div>
    </form>
  );
}
