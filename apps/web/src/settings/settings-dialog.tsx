// What a person sets: how this browser looks and behaves, how new sessions start, and the devices that are logged in.
import { Suspense, useId, useState } from "react";
import { base } from "../api/http/base.ts";
import { useFetched } from "../api/http/use-fetched.ts";
import { readVersion } from "../api/version.ts";
import { permissionNow, showNotification, useNotify } from "../attention/notify.ts";
import { commandKey } from "../device/command-key.ts";
import { errorMessage } from "../format/error-message.ts";
import { chooseLanguage, languageChoice, languages } from "../language/language.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { useTeam } from "../people/team.ts";
import { peopleTexts } from "../people/texts.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { themeTexts } from "../theme/texts.ts";
import { useTheme } from "../theme/theme.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { Tabs, tabId, tabPanelId } from "../ui/tabs.tsx";
import { Devices } from "./devices.tsx";
import { leaveBrowser } from "./leave-browser.ts";
import { SettingChoice, SettingRow, SettingSection } from "./setting-row.tsx";
import { settingsTexts as text } from "./texts.ts";

const NewSessionSettings = lazyPart(() => import("./new-session-settings.tsx"));

const PeopleSettings = lazyPart(() => import("../people/people-settings.tsx"));
const AccountSettings = lazyPart(() => import("../people/account-settings.tsx"));

type Tab = "general" | "account" | "people";

export default function SettingsDialog({ onClose }: { onClose(): void }) {
  const { team } = useTeam();
  const [tab, setTab] = useState<Tab>("general");
  const id = useId();
  const isTeam = team !== null && team.people.length > 0;
  const tabs: readonly { value: Tab; label: string }[] = [
    { value: "general", label: text.general },
    ...(isTeam ? [{ value: "account" as const, label: peopleTexts.accountTab }] : []),
    { value: "people", label: isTeam ? peopleTexts.tab : peopleTexts.inviteTeam },
  ];
  return (
    <Dialog open onOpenChange={onClose} title={text.title} wide>
      <div className="-mx-5 mb-5 flex h-9 border-b border-line px-2.5 phone:h-auto">
        <Tabs id={id} label={text.title} value={tab} tabs={tabs} onChoose={(chosen: Tab) => setTab(chosen)} />
      </div>
      <div
        role="tabpanel"
        id={tabPanelId(id, tab)}
        aria-labelledby={tabId(id, tab)}
        className="min-h-[360px]"
      >
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          {tab === "general" && <General onClose={onClose} />}
          {tab === "account" && <AccountSettings />}
          {tab === "people" && <PeopleSettings />}
        </Suspense>
      </div>
    </Dialog>
  );
}

const General = ({ onClose }: { onClose(): void }) => (
  <div className="flex flex-col gap-7">
    <Appearance />
    <Writing />
    <Suspense fallback={<SettingSection title={text.newSessions}>{null}</SettingSection>}>
      <NewSessionSettings onClose={onClose} />
    </Suspense>
    <Notifications />
    <Devices />
    <About />
  </div>
);

function Appearance() {
  const { choice: theme, choose } = useTheme();
  const { density, prefer } = usePreferences();
  return (
    <SettingSection title={text.appearance}>
      <SettingChoice
        title={themeTexts.title}
        options={[
          ["system", themeTexts.system],
          ["light", themeTexts.light],
          ["dark", themeTexts.dark],
        ]}
        chosen={theme}
        onChoose={choose}
      />
      <SettingChoice
        title={text.density}
        options={[
          ["comfortable", text.comfortable],
          ["compact", text.compact],
        ]}
        chosen={density}
        onChoose={(chosen) => prefer({ density: chosen })}
      />
      <SettingChoice
        title={text.language}
        options={[
          ["system", text.system],
          ["en", languages.en],
          ["de", languages.de],
        ]}
        chosen={languageChoice()}
        onChoose={chooseLanguage}
      />
    </SettingSection>
  );
}

function Writing() {
  const { sendKey, prefer } = usePreferences();
  return (
    <SettingSection title={text.writing}>
      <SettingChoice
        title={text.sendKey}
        note={sendKey === "enter" ? text.sendEnterNote : text.sendModNote}
        options={[
          ["enter", text.sendEnter],
          ["mod-enter", text.sendMod(commandKey)],
        ]}
        chosen={sendKey}
        onChoose={(chosen) => prefer({ sendKey: chosen })}
      />
    </SettingSection>
  );
}

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
  const note =
    permission === "none" ? text.notifyNone : permission === "denied" ? text.notifyDenied : text.notifyWhen;
  return (
    <SettingSection title={text.notifications}>
      <SettingRow title={<span id="settings-notifications">{text.notify}</span>} note={note}>
        <button
          type="button"
          role="switch"
          aria-checked={on}
          aria-labelledby="settings-notifications"
          disabled={!possible || waits}
          onClick={turn}
          className="flex h-8 shrink-0 items-center disabled:opacity-50 phone:h-11"
        >
          <span
            aria-hidden
            className={`relative h-5 w-9 rounded-full transition-colors duration-150 ${on ? "bg-fill" : "bg-edge"}`}
          >
            <span
              className={`absolute top-0.5 left-0.5 size-4 rounded-full bg-canvas transition-transform duration-150 ${on ? "translate-x-4" : ""}`}
            />
          </span>
        </button>
      </SettingRow>
      {on && <Trial />}
    </SettingSection>
  );
}

/** Systems hide notifications in many ways; trying it is the only way to know. */
function Trial() {
  const [shown, setShown] = useState(false);
  const tryIt = (): void => {
    showNotification(text.notifyTryTitle, { body: text.notifyTryText, icon: `${base}/icon.svg` });
    setShown(true);
  };
  return (
    <div className="flex flex-wrap items-center gap-3 py-2.5">
      <Button look="plain" onClick={tryIt}>
        {text.notifyTry}
      </Button>
      {shown && <span className="text-xs text-faint">{text.notifyNothing}</span>}
    </div>
  );
}

function About() {
  const { data: version } = useFetched("version", readVersion);
  const [problem, setProblem] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const leave = (): void => {
    setProblem(null);
    setLeaving(true);
    leaveBrowser().catch((error: unknown) => {
      setLeaving(false);
      setProblem(errorMessage(error));
    });
  };
  return (
    <SettingSection title={text.about}>
      <SettingRow title={text.version(version ?? "…")}>
        <Button look="plain" onClick={() => showOverlay("shortcuts")}>
          {text.shortcuts}
        </Button>
      </SettingRow>
      <SettingRow
        title={text.currentDevice}
        note={
          problem === null ? (
            text.logOutNote
          ) : (
            <span role="alert" className="text-failed">
              {problem}
            </span>
          )
        }
      >
        <Button look="plain" disabled={leaving} onClick={leave}>
          {text.logOut}
        </Button>
      </SettingRow>
    </SettingSection>
  );
}
