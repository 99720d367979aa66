// Asks before something that cannot be undone. Stays open until that is done, and says why when it is not.
import { type ReactNode, useState } from "react";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { uiTexts } from "./texts.ts";

interface ConfirmProps {
  title: string;
  description: string;
  verb: string;
  /** Fields between the description and the buttons. */
  children?: ReactNode;
  onClose(): void;
  /** Closes the dialog when it succeeds; says what is wrong when it does not. */
  onConfirm(): Promise<unknown>;
}

export function Confirm({ title, description, verb, children, onClose, onConfirm }: ConfirmProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const confirm = (): void => {
    setProblem(null);
    setWaits(true);
    onConfirm()
      .then(onClose, (error: unknown) => setProblem(errorMessage(error)))
      .finally(() => setWaits(false));
  };
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      {children !== undefined && <div className="mb-3">{children}</div>}
      {problem !== null && (
        <p role="alert" className="mb-3 text-sm text-failed">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
        <Button look="danger" disabled={waits} onClick={confirm}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
