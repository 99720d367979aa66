// Asks before a budget is deleted; for one that stops people also why, since from then on nothing does.
import type { Budget } from "@patchbay/protocol";
import { useState } from "react";
import { Confirm } from "../../ui/confirm.tsx";
import { deleteBudget } from "./api.ts";
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
      title={`Delete “${budget.name}”?`}
      description="Nothing is held to it any more. What was spent and what happened to it stays on record."
      verb="Delete it"
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
