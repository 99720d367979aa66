// The reason for raising a budget: asked wherever one is raised, and kept with it.
import { controlClass, Field } from "../../ui/field.tsx";

interface Props {
  value: string;
  problem?: string | null;
  onChange(reason: string): void;
}

export const ReasonField = ({ value, problem, onChange }: Props) => (
  <Field
    label="Why"
    error={problem ?? undefined}
    hint="Kept with the budget, and told in the sessions it had stopped."
  >
    {(control) => (
      <input
        {...control}
        value={value}
        maxLength={1_000}
        onChange={(event) => onChange(event.target.value)}
        placeholder="A release today"
        className={controlClass}
      />
    )}
  </Field>
);
