// The session's model, and the ones its agent could use instead, with what they cost. The list is fetched when opened.
import type { SessionInfo } from "@patchbay/protocol";
import { useState } from "react";
import { useCan } from "../connection/use-can.ts";
import { useFeed } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { Combobox, type ComboboxOption } from "../ui/combobox/combobox.tsx";
import { controlsTexts } from "./texts.ts";

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
  const [note, setNote] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = async (): Promise<void> => {
    setNote(null);
    try {
      const { listModels } = await import("./list-models.ts");
      const ask = () => feed.ask({ type: canSeeAll ? "get_available_models" : "get_models" });
      setNote(await listModels({ ask, onOptions: setOptions }));
    } catch (error) {
      setNote(errorMessage(error));
    }
  };
  const choose = (value: string): void => {
    setProblem(null);
    const [provider = "", modelId = ""] = splitOnce(value);
    const model = canSeeAll ? { provider, modelId } : { model: modelId };
    feed
      .ask({ type: "set_model", ...model })
      .then(async () => (await import("../preferences/recent-models.ts")).rememberModel(value))
      .catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <Combobox
        label={controlsTexts.model}
        look="inline"
        options={options}
        value={`${session.provider}/${session.model}`}
        empty={note ?? controlsTexts.modelsLoading}
        note={controlsTexts.modelsNote}
        onOpen={() => void load()}
        onChoose={choose}
        shown={session.model === "" ? controlsTexts.noModel : session.model}
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
