// Logs a phone in: a QR code that is good once and for two minutes, for one's own account.
import { useEffect, useState } from "react";
import { pairDevice } from "../api/people.ts";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "../ui/button.tsx";
import { SecretLink } from "./secret-link.tsx";
import { peopleTexts as text } from "./texts.ts";

export default function PairPhone({ onPaired }: { onPaired(): void }) {
  const [paired, setPaired] = useState<{ link: string; expires_at: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (paired === null) return;
    const end = setTimeout(() => setPaired(null), Math.max(0, Date.parse(paired.expires_at) - Date.now()));
    const look = setInterval(onPaired, 3_000); // the phone appears in the list of devices
    return () => {
      clearTimeout(end);
      clearInterval(look);
    };
  }, [paired, onPaired]);
  const make = (): void => {
    setProblem(null);
    pairDevice().then(setPaired, (error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <div className="mt-3">
      {paired === null ? (
        <Button look="plain" onClick={make}>
          {text.pair}
        </Button>
      ) : (
        <SecretLink link={paired.link} label={text.pairQr} title={text.pairTitle} note={text.pairNote} />
      )}
      {problem !== null && (
        <p role="alert" className="mt-2 text-sm text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
