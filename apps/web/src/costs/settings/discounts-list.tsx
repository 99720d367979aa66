// The discounts, in the order in which they apply, and a form for another one. Those of the config file come first and stay as they are.
import type { ChangeCostSettings, CostSettingsInfo, Discount } from "@patchbay/protocol";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";
import { fixed } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { controlClass, Field } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { costSettingsTexts } from "./texts.ts";

interface Props {
  discounts: CostSettingsInfo["discounts"];
  onChange(change: ChangeCostSettings): Promise<void>;
}

type Listed = CostSettingsInfo["discounts"][number];

export function DiscountsList({ discounts, onChange }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const own = discounts.filter(({ source }) => source === "page");
  const keep = (next: readonly Listed[], added?: Discount): Promise<void> => {
    setProblem(null);
    const kept = next.map(({ source: _source, ...discount }) => discount);
    return onChange({ discounts: added === undefined ? kept : [...kept, added] });
  };
  return (
    <div className="pb-4">
      <p className="mb-2 px-4 pt-1 text-sm text-muted phone:px-3">{costSettingsTexts.discountsHint}</p>
      {discounts.length === 0 ? (
        <p className="border-t border-line px-4 py-4 text-sm text-faint phone:px-3">
          {costSettingsTexts.noDiscounts}
        </p>
      ) : (
        <ul aria-label={costSettingsTexts.discounts}>
          {discounts.map((discount, index) => (
            <li
              // The order is what tells two of the same apart.
              key={`${index} ${discount.match}`}
              className="flex min-h-10 items-center gap-3 border-t border-line px-4 text-sm phone:flex-wrap phone:gap-y-0 phone:px-3 phone:py-1.5"
            >
              <span
                className="min-w-0 flex-1 truncate font-mono text-xs phone:basis-full"
                title={discount.match}
              >
                {discount.match}
              </span>
              <span className="shrink-0 text-xs text-muted tabular-nums phone:flex-1">
                {validity(discount)}
              </span>
              <span className="w-20 shrink-0 text-right tabular-nums">
                {costSettingsTexts.off(percentText(discount.percent))}
              </span>
              {discount.source === "config" ? (
                <span className="shrink-0 text-xs text-faint">{costSettingsTexts.inConfig}</span>
              ) : (
                <IconButton
                  label={costSettingsTexts.remove(discount.match)}
                  onClick={() => {
                    keep(own.filter((each) => each !== discount)).catch((error: unknown) =>
                      setProblem(errorMessage(error)),
                    );
                  }}
                >
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <p role="alert" className="px-4 py-2 text-sm text-failed phone:px-3">
          {problem}
        </p>
      )}
      <NewDiscount key={own.length} onAdd={(discount) => keep(own, discount)} />
    </div>
  );
}

function NewDiscount({ onAdd }: { onAdd(discount: Discount): Promise<void> }) {
  const [match, setMatch] = useState("");
  const [percent, setPercent] = useState("");
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const part = Number(percent.replace(",", "."));
    if (match.trim() === "") return setProblem(costSettingsTexts.matchMissing);
    if (!(part > 0 && part <= 100)) return setProblem(costSettingsTexts.percentWrong);
    if (from !== "" && until !== "" && from >= until) return setProblem(costSettingsTexts.dateOrder);
    onAdd({
      ...{ match: match.trim(), percent: part },
      ...(from === "" ? {} : { from }),
      ...(until === "" ? {} : { until }),
    }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  const day = (label: string, value: string, onValue: (day: string) => void) => (
    <Field label={label} hint={costSettingsTexts.optional}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={value}
          onChange={(event) => onValue(event.target.value)}
          className={controlClass}
        />
      )}
    </Field>
  );
  return (
    <form
      onSubmit={submit}
      onChange={() => setProblem(null)}
      className="border-t border-line px-4 pt-3 phone:px-3"
    >
      <div className="grid grid-cols-4 items-start gap-3 phone:grid-cols-1">
        <Field label={costSettingsTexts.match} hint={costSettingsTexts.matchHint}>
          {(control) => (
            <input
              {...control}
              value={match}
              maxLength={200}
              placeholder={costSettingsTexts.patternExample}
              onChange={(event) => setMatch(event.target.value)}
              className={`${controlClass} font-mono text-sm`}
            />
          )}
        </Field>
        <Field label={costSettingsTexts.percent}>
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              value={percent}
              placeholder="15"
              onChange={(event) => setPercent(event.target.value)}
              className={`${controlClass} tabular-nums`}
            />
          )}
        </Field>
        {day(costSettingsTexts.from, from, setFrom)}
        {day(costSettingsTexts.until, until, setUntil)}
      </div>
      {problem !== null && (
        <p role="alert" className="mt-1 text-sm text-failed">
          {problem}
        </p>
      )}
      <div className="mt-3">
        <Button look="plain" type="submit">
          {costSettingsTexts.add}
        </Button>
      </div>
    </form>
  );
}

const percentText = (percent: number): string => fixed(percent, Number.isInteger(percent) ? 0 : 1);

function validity({ from, until }: Listed): string {
  if (from !== undefined && until !== undefined) return costSettingsTexts.between(from, until);
  if (from !== undefined) return costSettingsTexts.since(from);
  return until === undefined ? costSettingsTexts.always : costSettingsTexts.before(until);
}
