// The session's model, and the ones its worker could use instead. The list is fetched when opened.
import { ModelsData, type SessionInfo } from "@patchbay/protocol";
import { useState } from "react";
import { useCan } from "../connection/use-can.ts";
import { useFeed } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatTokens } from "../format/tokens.ts";
import { Combobox, type ComboboxOption } from "../ui/combobox/combobox.tsx";

export function ModelPicker({ session }: { session: SessionInfo }) {
  // What a stopped worker can do is not known; it refuses if it cannot.
  const asleep = session.state === "stopped" || session.state === "failed";
  const can = useCan("set_model");
  if (can || asleep) return <ModelChoice session={session} />;
  return <span className="truncate px-1 text-sm text-muted">{session.model}</span>;
}

function ModelChoice({ session }: { session: SessionInfo }) {
  const feed = useFeed();
  // zot knows the models of its own provider; others list every model they have a key for.
  const canSeeAll = useCan("models");
  const [options, setOptions] = useState<readonly ComboboxOption[]>([]);
  const [note, setNote] = useState("Asking the worker…");
  const [problem, setProblem] = useState<string | null>(null);
  const load = (): void => {
    setNote("Asking the worker…");
    feed.ask({ type: canSeeAll ? "get_available_models" : "get_models" }).then(
      (data) => {
        const read = ModelsData.safeParse(data);
        setNote(read.success ? "The worker offers no other model." : "The worker's list could not be read.");
        if (read.success) setOptions(read.data.models.map(toOption));
      },
      (error: unknown) => setNote(errorMessage(error)),
    );
  };
  const choose = (value: string): void => {
    setProblem(null);
    const [provider = "", modelId = ""] = splitOnce(value);
    const model = canSeeAll ? { provider, modelId } : { model: modelId };
    feed.ask({ type: "set_model", ...model }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <Combobox
        label="Model"
        look="inline"
        options={options}
        value={`${session.provider}/${session.model}`}
        empty={note}
        onOpen={load}
        onChoose={choose}
        shown={session.model === "" ? "model" : session.model}
      />
      {problem !== null && (
        <span role="alert" className="max-w-64 truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

/** Only the first slash separates: model ids may contain more. */
const splitOnce = (value: string): string[] => {
  const slash = value.indexOf("/");
  return [value.slice(0, slash), value.slice(slash + 1)];
};

const toOption = (model: ModelsData["models"][number]): ComboboxOption => ({
  value: `${model.provider}/${model.id}`,
  label: model.id,
  detail:
    model.context_window > 0 ? `${model.provider} · ${formatTokens(model.context_window)}` : model.provider,
});
