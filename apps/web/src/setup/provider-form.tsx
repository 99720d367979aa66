// Entering a key and an address. The key is in the page only while it is typed.
import type { KeyProvider, KeyTest, UpdateKey } from "@patchbay/protocol";
import { ExternalLink, Eye, EyeOff } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { saveKey, testProvider } from "../api/keys.ts";
import { agentName, providerName } from "../format/agent-name.ts";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TestResult } from "./test-result.tsx";
import { setupTexts } from "./texts.ts";

interface Props {
  provider: KeyProvider;
  onCancel(): void;
  /** With how many sessions use the old key for now. */
  onSaved(sessions: number): void;
}

/** Where a person makes a key. */
const keyPages: Readonly<Record<string, string>> = {
  anthropic: "https://console.anthropic.com/settings/keys",
  openai: "https://platform.openai.com/api-keys",
  google: "https://aistudio.google.com/apikey",
  deepseek: "https://platform.deepseek.com/api_keys",
};

export function ProviderForm({ provider, onCancel, onSaved }: Props) {
  const { name, keyless, key: kept, base_url, default_url, variables, asked_by } = provider;
  const [key, setKey] = useState("");
  const [url, setUrl] = useState(base_url?.from === "page" ? base_url.url : "");
  const [shared, setShared] = useState(provider.shared);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [result, setResult] = useState<KeyTest | null>(null);
  const [doing, setDoing] = useState<"nothing" | "saving" | "testing">("nothing");
  const takesKey = variables.keys.length > 0;
  const entered: UpdateKey = {
    ...(key.trim() === "" ? {} : { key: key.trim() }),
    ...(url.trim() === (base_url?.from === "page" ? base_url.url : "") ? {} : { base_url: url.trim() }),
  };
  const changed = (): void => {
    setProblem(undefined);
    setResult(null);
  };
  const isMissing = (): boolean => {
    const missing = keyless ? url.trim() === "" : key.trim() === "" && kept?.from !== "page";
    if (missing) setProblem(keyless ? setupTexts.nothingEnteredServer : setupTexts.nothingEntered);
    return missing;
  };
  const attempt = async (what: "saving" | "testing", call: () => Promise<void>): Promise<void> => {
    if (isMissing()) return;
    changed();
    setDoing(what);
    try {
      await call();
    } catch (error) {
      setProblem(errorMessage(error));
    }
    setDoing("nothing");
  };
  const save = async (): Promise<void> => {
    const { sessions_with_old_keys } = await saveKey(name, { ...entered, shared });
    onSaved(sessions_with_old_keys);
  };
  const test = async (): Promise<void> => setResult(await testProvider(name, entered));
  const leave = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onCancel();
  };
  const address = (
    <Field
      label={keyless ? setupTexts.baseUrl : setupTexts.baseUrlOptional}
      hint={
        !keyless
          ? setupTexts.baseUrlHint
          : name === "ollama"
            ? setupTexts.baseUrlOllamaHint
            : setupTexts.baseUrlServerHint
      }
      error={keyless ? problem : undefined}
    >
      {(control) => (
        <input
          {...control}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be filled in
          autoFocus={keyless}
          onKeyDown={leave}
          value={url}
          placeholder={default_url}
          onChange={(event) => {
            setUrl(event.target.value);
            changed();
          }}
          className={`${controlClass} font-mono text-sm`}
        />
      )}
    </Field>
  );
  return (
    <form
      aria-label={providerName(name)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void attempt("saving", save);
      }}
      className="flex flex-col gap-4 rounded-md border border-line bg-raised p-4"
    >
      {keyless && address}
      {takesKey && (
        <KeyField
          provider={provider}
          value={key}
          error={keyless ? undefined : problem}
          onKeyDown={leave}
          onChange={(value) => {
            setKey(value);
            changed();
          }}
        />
      )}
      {!keyless && address}
      {asked_by.length > 0 && (
        <label className="flex gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
            className="mt-1 size-4 shrink-0 accent-[var(--fill)]"
          />
          <span>
            {setupTexts.share(asked_by.map(agentName).join(", "))}
            <span className="block text-xs text-faint">{setupTexts.shareNote}</span>
          </span>
        </label>
      )}
      {result !== null && <TestResult result={result} keyless={keyless && key === ""} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" type="submit" disabled={doing !== "nothing"}>
          {doing === "saving" ? setupTexts.saving : setupTexts.save}
        </Button>
        <Button look="plain" disabled={doing !== "nothing"} onClick={() => void attempt("testing", test)}>
          {doing === "testing" ? setupTexts.testing : setupTexts.test}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {setupTexts.cancel}
        </Button>
      </div>
    </form>
  );
}

interface KeyFieldProps {
  provider: KeyProvider;
  value: string;
  error: string | undefined;
  onKeyDown(event: KeyboardEvent): void;
  onChange(value: string): void;
}

function KeyField({ provider, value, error, onKeyDown, onChange }: KeyFieldProps) {
  const [shown, setShown] = useState(false);
  const { name, key, keyless } = provider;
  const page = Object.hasOwn(keyPages, name) ? keyPages[name] : undefined;
  const hint =
    page === undefined ? undefined : (
      <a
        href={page}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex items-center gap-1 text-muted underline-offset-2 hover:text-ink hover:underline"
      >
        {setupTexts.getKey} <ExternalLink size={12} aria-hidden />
      </a>
    );
  const kept =
    key?.from !== "page"
      ? undefined
      : key.ending === undefined
        ? setupTexts.keyKeptHidden
        : setupTexts.keyKept(key.ending);
  return (
    <Field label={keyless ? setupTexts.keyOptional : setupTexts.key} hint={hint} error={error}>
      {(control) => (
        <div className="flex items-center gap-1">
          <input
            {...control}
            type={shown ? "text" : "password"}
            // Browsers offer to save passwords, and would fill in the login's here.
            autoComplete="off"
            data-1p-ignore
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be filled in
            autoFocus={!keyless}
            onKeyDown={onKeyDown}
            value={value}
            placeholder={kept}
            onChange={(event) => onChange(event.target.value)}
            className={`${controlClass} min-w-0 flex-1 font-mono text-sm placeholder:font-sans`}
          />
          <IconButton label={shown ? setupTexts.hide : setupTexts.show} onClick={() => setShown(!shown)}>
            {shown ? <EyeOff size={15} aria-hidden /> : <Eye size={15} aria-hidden />}
          </IconButton>
        </div>
      )}
    </Field>
  );
}
