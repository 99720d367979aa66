// What Patchbay can work with: model providers with their keys, the agents of the server's machine, and the sandbox.
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { listWorkers } from "../api/sessions.ts";
import { BackToList } from "../navigation/back-to-list.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { Agents } from "./agents.tsx";
import { Providers } from "./providers.tsx";
import { SetupSafety } from "./setup-safety.tsx";
import { setupTexts } from "./texts.ts";

export default function SetupPage() {
  const [asked, setAsked] = useState(0);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-6 phone:h-14 phone:px-2">
        <BackToList />
        <h1 className="flex-1 font-semibold tracking-[-0.01em]">{setupTexts.title}</h1>
        <Button look="quiet" onClick={() => setAsked(asked + 1)}>
          <RefreshCw size={14} aria-hidden /> {setupTexts.refresh}
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[820px] px-8 py-8 phone:px-4 phone:py-5">
          <Found key={asked} />
          <SetupSafety key={`safety ${asked}`} />
        </div>
      </div>
    </div>
  );
}

function Found() {
  const { data, error, refetch } = useFetched("workers", listWorkers);
  if (data === null)
    return error === null ? (
      <div role="status" aria-label={setupTexts.loading}>
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="mb-3 h-14 w-full" />
        ))}
      </div>
    ) : (
      <p role="alert" className="mb-10 text-failed">
        {error}
      </p>
    );
  const builtin = data.workers.find(({ name }) => name === "builtin");
  return (
    <>
      <Providers models={builtin?.models ?? []} onChanged={refetch} />
      <Agents found={data} />
    </>
  );
}
