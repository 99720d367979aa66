// The reason for raising a budget: asked wherever one is raised, and kept with it.
import { controlClass, Field } from "../../ui/field.tsx";
import { budgetTexts } from "./data/texts.ts";

interface Props {
  value: string;
  problem?: string | null;
  onChange(reason: string): void;
}

export const ReasonField = ({ value, problem, onChange }: Props) => (
  <Field label={budgetTexts.reason} error={problem ?? undefined} hint={budgetTexts.reasonHint}>
    {(control) => (
      <input
        {...control}
        value={value}
        maxLength={1_000}
        onChange={(event) => onChange(event.target.value)}
        placeholder={budgetTexts.reasonPlaceholder}
        className={controlClass}
      />
    )}
  </Field>
);
