// The session's model, and the ones its worker could use instead. The list is asked for when opened.
import { ModelsData, type Session } from "@patchbay/protocol";
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useFeed } from "../connection/use-feed.ts";
import { formatTokens } from "../format/tokens.ts";
import { Combobox, type Option } from "../ui/combobox.tsx";

export function ModelPicker({ session }: { session: Session }) {
  const feed = useFeed();
  const [options, setOptions] = useState<readonly Option[]>([]);
  const [note, setNote] = useState("Asking the worker…");
  const [problem, setProblem] = useState<string | null>(null);
  const load = (): void => {
    setNote("Asking the worker…");
    feed.ask({ type: "get_models" }).then(
      (data) => {
        const read = ModelsData.safeParse(data);
        setNote(read.success ? "The worker offers no other model." : "The worker's list could not be read.");
        if (read.success) setOptions(read.data.models.map(toOption));
      },
      (error: unknown) => setNote(inWords(error)),
    );
  };
  const choose = (model: string): void => {
    setProblem(null);
    feed.ask({ type: "set_model", model }).catch((error: unknown) => setProblem(inWords(error)));
  };
  return (
    <>
      <Combobox
        label="Model"
        look="inline"
        options={options}
        value={session.model}
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

const toOption = (model: ModelsData["models"][number]): Option => ({
  value: model.id,
  label: model.id,
  detail:
    model.context_window > 0 ? `${model.provider} · ${formatTokens(model.context_window)}` : model.provider,
});
