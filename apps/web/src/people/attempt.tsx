// A change that the server may refuse: what is wrong is shown beside it, and it is not started twice.
import { useState } from "react";
import { errorMessage } from "../format/error-message.ts";

export function useAttempt() {
  const [problem, setProblem] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const attempt = (work: Promise<unknown>): void => {
    setProblem(null);
    setWaits(true);
    work.catch((error: unknown) => setProblem(errorMessage(error))).finally(() => setWaits(false));
  };
  return { problem, setProblem, waits, attempt };
}

export const Problem = ({ sentence }: { sentence: string }) => (
  <p role="alert" className="mt-2 text-sm text-failed">
    {sentence}
  </p>
);
