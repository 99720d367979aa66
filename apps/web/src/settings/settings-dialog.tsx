// What a person sets for this browser: how it looks, notifications, and the devices that are logged in.
import { useState } from "react";
import { base } from "../api/http/base.ts";
import { permissionNow, showNotification, useNotify } from "../attention/notify.ts";
import { commandKey } from "../device/command-key.ts";
import { chooseLanguage, type LanguageChoice, languageChoice, languages } from "../language/language.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { type ThemeChoice, useTheme } from "../theme/theme.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Devices } from "./devices.tsx";

const themes: readonly [ThemeChoice, string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export default function SettingsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Settings"
      description="For this browser. Sessions have their own, below the prompt."
    >
      <div className="divide-y divide-line">
        <Themes />
        <Languages />
        <Notifications />
        <Devices />
        <section className="flex items-center justify-between gap-4 pt-4">
          <p className="text-sm text-muted">Every key, and {commandKey} K for everything else.</p>
          <Button look="plain" onClick={() => showOverlay("shortcuts")}>
            Shortcuts
          </Button>
        </section>
      </div>
    </Dialog>
  );
}

function Themes() {
  const { choice: chosen, choose } = useTheme();
  return <Choice title="Theme" options={themes} chosen={chosen} onChoose={choose} />;
}

const languageLabels: readonly [LanguageChoice, string][] = [
  ["system", "System"],
  ["en", languages.en],
  ["de", languages.de],
];

function Languages() {
  return (
    <Choice
      title="Language"
      options={languageLabels}
      chosen={languageChoice()}
      onChoose={(choice) => chooseLanguage(choice)}
    />
  );
}

interface ChoiceProps<T extends string> {
  title: string;
  options: readonly (readonly [T, string])[];
  chosen: T;
  onChoose(choice: T): void;
}

function Choice<T extends string>({ title, options, chosen, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="py-4 first:pt-0">
      <legend className="float-left mb-2 text-sm font-medium">{title}</legend>
      <div className="clear-both flex gap-1 rounded-md bg-sunken p-1">
        {options.map(([choice, label]) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === chosen}
            onClick={() => onChoose(choice)}
            className="h-7 flex-1 rounded-sm text-sm text-muted hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink phone:h-11"
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

const explained = {
  none: "This browser shows notifications only on https or localhost.",
  denied: "The browser refuses them for this page. Allow them in its site settings, then come back.",
  default: "When an agent is done, failed or needs you, and you look elsewhere.",
  granted: "When an agent is done, failed or needs you, and you look elsewhere.",
} as const;

function Notifications() {
  const { choice, choose } = useNotify();
  const permission = permissionNow();
  const [waits, setWaits] = useState(false);
  const possible = permission === "default" || permission === "granted";
  const on = choice === "on" && permission === "granted";
  const turn = (): void => {
    setWaits(true);
    void choose(on ? "off" : "on").finally(() => setWaits(false));
  };
  return (
    <section aria-labelledby="settings-notifications" className="py-4">
      <div className="flex items-center justify-between gap-4">
        <h3 id="settings-notifications" className="text-sm font-medium">
          Notifications
        </h3>
        <button
          type="button"
          role="switch"
          aria-checked={on}
          aria-labelledby="settings-notifications"
          disabled={!possible || waits}
          onClick={turn}
          className={`relative h-5 w-9 shrink-0 rounded-full transition-colors duration-150 disabled:opacity-50 ${on ? "bg-fill" : "bg-edge"}`}
        >
          <span
            aria-hidden
            className={`absolute top-0.5 left-0.5 size-4 rounded-full bg-canvas transition-transform duration-150 ${on ? "translate-x-4" : ""}`}
          />
        </button>
      </div>
      <p className="mt-1 text-sm text-muted">{explained[permission]}</p>
      {on && <Trial />}
    </section>
  );
}

/** Systems hide notifications in many ways; trying it is the only way to know. */
function Trial() {
  const [shown, setShown] = useState(false);
  const tryIt = (): void => {
    showNotification("Done: an example", { body: "This is how it looks.", icon: `${base}/icon.svg` });
    setShown(true);
  };
  return (
    <div className="mt-2 flex items-center gap-3">
      <Button look="plain" onClick={tryIt}>
        Show one
      </Button>
      {shown && (
        <span className="text-xs text-faint">Nothing to see? Look at the system's own settings.</span>
      )}
    </div>
  );
}
