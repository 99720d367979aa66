// Asks before a budget is deleted; for one that stops people also why, since from then on nothing does.
import type { Budget } from "@patchbay/protocol";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { deleteBudget } from "./data/api.ts";
import { budgetTexts } from "./data/texts.ts";
import { ReasonField } from "./reason-field.tsx";

interface Props {
  budget: Budget;
  onClose(): void;
  onDone(): void;
}

export function DeleteBudget({ budget, onClose, onDone }: Props) {
  const [reason, setReason] = useState("");
  return (
    <Confirm
      title={budgetTexts.deleteNamed(budget.name)}
      description={budgetTexts.deleteText}
      verb={budgetTexts.delete}
      onClose={onClose}
      onConfirm={async () => {
        await deleteBudget(budget.id, reason.trim());
        onDone();
      }}
    >
      {budget.kind === "hard" && <ReasonField value={reason} onChange={setReason} />}
    </Confirm>
  );
}
