// What the agent can reach, below the composer: always shown, one click from being changed where a person can change it.
import { Info, Lock, ShieldCheck, ShieldOff } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useFeed } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { type Choice, Menu, MenuChoice, MenuItem, MenuLine, MenuText } from "../ui/menu/menu.tsx";
import { PickerButton } from "../ui/menu/picker.tsx";
import { controlsTexts } from "./texts.ts";
import { type Sandboxing, useSandbox } from "./use-sandbox.ts";

export function SandboxPicker() {
  const sandbox = useSandbox();
  if (sandbox === undefined) return null;
  return sandbox.by === "fixed" ? <Fixed on={sandbox.on} /> : <Changeable sandbox={sandbox} />;
}

const Icon = ({ on, enforced = false }: { on: boolean; enforced?: boolean }) => {
  const Shape = enforced ? Lock : on ? ShieldCheck : ShieldOff;
  return <Shape size={14} aria-hidden className={`shrink-0 ${on ? "text-faint" : "text-accent"}`} />;
};

/** Another program's agent: its profile says where it runs. */
const Fixed = ({ on }: { on: boolean }) => (
  <span
    title={on ? controlsTexts.sandboxFixedOn : controlsTexts.sandboxFixedOff}
    className="flex h-7 shrink-0 items-center gap-1.5 px-1.5 text-sm text-muted phone:h-11"
  >
    <Icon on={on} />
    {on ? controlsTexts.sandboxed : controlsTexts.unsandboxed}
  </span>
);

const sandboxChoices = (): Choice[] => [
  { value: "on", label: controlsTexts.sandboxed, detail: controlsTexts.sandboxedDetail },
  { value: "off", label: controlsTexts.unsandboxed, detail: controlsTexts.unsandboxedDetail },
];

function Changeable({ sandbox: { on, by, problem, leaks } }: { sandbox: Sandboxing }) {
  const feed = useFeed();
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const choose = (mode: string): void => {
    setFailure(null);
    feed.ask({ type: "set_jail", mode }).catch((error: unknown) => setFailure(errorMessage(error)));
  };
  const shown = on ? controlsTexts.sandboxed : controlsTexts.unsandboxed;
  return (
    <>
      <Menu
        align="start"
        trigger={
          <PickerButton
            label={controlsTexts.sandbox}
            shown={shown}
            icon={<Icon on={on} enforced={by === "enforced"} />}
          />
        }
      >
        {by === "choice" && (problem === null || leaks) && (
          <MenuChoice
            title={controlsTexts.sandbox}
            value={on || leaks ? "on" : "off"}
            choices={sandboxChoices()}
            onChoose={choose}
          />
        )}
        {by === "enforced" && (
          <MenuText title={controlsTexts.sandboxed}>{controlsTexts.sandboxEnforced}</MenuText>
        )}
        {problem !== null && (
          <MenuText title={leaks ? controlsTexts.sandboxLeaks : controlsTexts.sandboxMissing}>
            {problem}.
          </MenuText>
        )}
        <MenuLine />
        <MenuItem icon={<Info size={14} />} onSelect={() => navigate("/setup")}>
          {controlsTexts.sandboxMore}
        </MenuItem>
      </Menu>
      {failure !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={failure}>
          {failure}
        </span>
      )}
    </>
  );
}
