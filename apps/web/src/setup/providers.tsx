// The model providers: where the key of each comes from, and adding, testing and removing one.
import type { KeyProvider, KeyTest } from "@patchbay/protocol";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { readKeys, removeKey, testProvider } from "../api/keys.ts";
import { agentName, providerName } from "../format/agent-name.ts";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { SetupPart, SetupRow } from "./setup-row.tsx";
import { TestResult } from "./test-result.tsx";
import { setupTexts } from "./texts.ts";

interface Props {
  /** Of the built-in agent. */
  models: readonly { provider: string }[];
  /** Keys have changed, and with them the models. */
  onChanged(): void;
}

export function Providers({ models, onChanged }: Props) {
  const { data, error, refetch } = useFetched("keys", readKeys);
  if (data === null)
    return error === null ? (
      <Skeleton className="mb-10 h-40 w-full" />
    ) : (
      <p role="alert" className="mb-10 text-failed">
        {error}
      </p>
    );
  const changed = (): void => {
    refetch();
    onChanged();
  };
  return (
    <SetupPart title={setupTexts.providers} note={setupTexts.providersNote}>
      {data.problem !== undefined && (
        <li role="alert" className="py-3 text-sm text-failed">
          {data.problem}
        </li>
      )}
      {data.providers.map((provider) => (
        <ProviderRow
          key={provider.name}
          provider={provider}
          models={models.filter((model) => model.provider === provider.name).length}
          onChanged={changed}
        />
      ))}
    </SetupPart>
  );
}

/** Whether the built-in agent can use it. */
const isUsable = ({ keyless, key, base_url }: KeyProvider): boolean =>
  keyless ? base_url !== null : key !== null;

interface RowProps {
  provider: KeyProvider;
  models: number;
  onChanged(): void;
}

function ProviderRow({ provider, models, onChanged }: RowProps) {
  const [doing, setDoing] = useState<"nothing" | "editing" | "removing" | "testing">("nothing");
  const [result, setResult] = useState<KeyTest | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [oldKeys, setOldKeys] = useState(0);
  const usable = isUsable(provider);
  const label = providerName(provider.name);
  const isOurs = provider.key?.from === "page" || provider.base_url?.from === "page";
  const begin = (what: typeof doing): void => {
    setDoing(what);
    setResult(null);
    setProblem(null);
    setOldKeys(0);
  };
  const test = (): void => {
    begin("testing");
    testProvider(provider.name, {})
      .then(setResult, (error: unknown) => setProblem(errorMessage(error)))
      .finally(() => setDoing("nothing"));
  };
  const changed = (sessions: number): void => {
    setDoing("nothing");
    setOldKeys(sessions);
    onChanged();
  };
  const remove = async (): Promise<void> => {
    const { sessions_with_old_keys } = await removeKey(provider.name);
    changed(sessions_with_old_keys);
  };
  return (
    <SetupRow
      name={label}
      description={
        <>
          <Described provider={provider} models={models} usable={usable} />
          {problem !== null && (
            <p role="alert" className="text-failed">
              {problem}
            </p>
          )}
          {result !== null && <TestResult result={result} keyless={provider.key === null} />}
          {oldKeys > 0 && <p role="status">{setupTexts.oldKeys(oldKeys)}</p>}
          {doing === "removing" && (
            <Confirm
              title={setupTexts.removeTitle(label)}
              description={
                provider.unused.length > 0
                  ? setupTexts.removeTextEnvironment(provider.unused.join(", "))
                  : setupTexts.removeText
              }
              verb={setupTexts.remove}
              onConfirm={remove}
              onClose={() => setDoing("nothing")}
            />
          )}
        </>
      }
      found={usable}
      below={
        doing === "editing" ? (
          <ProviderForm
            provider={provider}
            onCancel={() => setDoing("nothing")}
            onSaved={(sessions) => {
              changed(sessions);
              test();
              setOldKeys(sessions);
            }}
          />
        ) : undefined
      }
    >
      {doing === "editing" ? undefined : (
        <>
          {usable && (
            <Action
              text={doing === "testing" ? setupTexts.testing : setupTexts.test}
              provider={label}
              disabled={doing === "testing"}
              onClick={test}
            />
          )}
          {isOurs && <Action text={setupTexts.remove} provider={label} onClick={() => begin("removing")} />}
          <Action
            look="plain"
            text={isOurs ? setupTexts.edit : provider.keyless ? setupTexts.addServer : setupTexts.addKey}
            provider={label}
            onClick={() => begin("editing")}
          />
        </>
      )}
    </SetupRow>
  );
}

interface ActionProps {
  text: string;
  provider: string;
  look?: "quiet" | "plain";
  disabled?: boolean;
  onClick(): void;
}

const Action = ({ text, provider, look = "quiet", disabled = false, onClick }: ActionProps) => (
  <Button look={look} label={setupTexts.actionLabel(text, provider)} disabled={disabled} onClick={onClick}>
    {text}
  </Button>
);

function Described({
  provider,
  models,
  usable,
}: Pick<RowProps, "provider" | "models"> & { usable: boolean }) {
  const { key, base_url, variables, unused, shared, asked_by, keyless } = provider;
  if (!usable) return <p>{keyless ? setupTexts.noServer : setupTexts.noKey}</p>;
  const parts = [
    ...(key === null
      ? []
      : key.from === "environment"
        ? [setupTexts.keyFrom(variables.keys.join(" / "))]
        : [key.ending === undefined ? setupTexts.keySaved : setupTexts.keyEnding(key.ending)]),
    ...(base_url === null
      ? []
      : [
          base_url.from === "environment"
            ? setupTexts.urlFrom(base_url.url, variables.base_url)
            : base_url.url,
        ]),
    models > 0 ? setupTexts.models(models) : setupTexts.noModels,
  ];
  const isOfEnvironment = key?.from !== "page" && base_url?.from !== "page";
  return (
    <>
      <p>{parts.join(" · ")}</p>
      {isOfEnvironment && <p className="text-xs text-faint">{setupTexts.fromEnvironment}</p>}
      {unused.length > 0 && <p className="text-xs text-faint">{setupTexts.unused(unused.join(", "))}</p>}
      {shared && asked_by.length > 0 && (
        <p className="text-xs text-faint">{setupTexts.shared(asked_by.map(agentName).join(", "))}</p>
      )}
    </>
  );
}
