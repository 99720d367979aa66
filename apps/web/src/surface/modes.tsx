// How messages that come while the agent works reach it, and what it can reach itself: the modes that a session
// rarely changes, behind one button. A mode that the worker does not have is not shown.
import { Lock, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useCan, useTextSetting } from "../connection/use-can.ts";
import { useFeed } from "../connection/use-feed.ts";
import { Menu, MenuChoice, MenuLine, MenuNote, MenuSwitch } from "../ui/menu.tsx";

const one = { value: "one-at-a-time", label: "One at a time" };
const all = { value: "all", label: "All together" };

export function Modes() {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const canSteer = useCan("steer");
  const canFollow = useCan("follow_up");
  const canJail = useCan("jail");
  const steering = useTextSetting("steering_mode");
  const followUp = useTextSetting("follow_up_mode");
  const interrupt = useTextSetting("interrupt_mode");
  const jail = useTextSetting("jail");
  const ask = (command: { type: string; mode: string }): void => {
    setProblem(null);
    feed.ask(command).catch((error: unknown) => setProblem(inWords(error)));
  };
  const steers = canSteer && (steering !== undefined || interrupt !== undefined);
  const follows = canFollow && followUp !== undefined;
  const jails = canJail && jail !== undefined;
  if (!steers && !follows && !jails) return null;
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11"
          >
            <SlidersHorizontal size={14} aria-hidden className="text-faint" /> Modes
          </button>
        }
      >
        {steers && interrupt !== undefined && (
          <MenuChoice
            staysOpen
            title="Steering takes effect"
            value={interrupt}
            choices={[
              { value: "immediate", label: "After the tool that runs" },
              { value: "wait", label: "After all tools of the step" },
            ]}
            onChoose={(mode) => ask({ type: "set_interrupt_mode", mode })}
          />
        )}
        {steers && steering !== undefined && (
          <MenuChoice
            staysOpen
            title="Several that steer"
            value={steering}
            choices={[one, all]}
            onChoose={(mode) => ask({ type: "set_steering_mode", mode })}
          />
        )}
        {follows && (
          <MenuChoice
            staysOpen
            title="Several in the queue"
            value={followUp}
            choices={[one, all]}
            onChoose={(mode) => ask({ type: "set_follow_up_mode", mode })}
          />
        )}
        {jails && (
          <>
            {(steers || follows) && <MenuLine />}
            {jail === "enforced" ? (
              <MenuNote icon={<Lock size={14} />}>Jailed by the server</MenuNote>
            ) : (
              <MenuSwitch
                on={jail === "on"}
                onChange={(on) => ask({ type: "set_jail", mode: on ? "on" : "off" })}
              >
                Jail: only this directory
              </MenuSwitch>
            )}
          </>
        )}
      </Menu>
      {jails && jail !== "off" && (
        <span
          title="The agent's tools reach this directory only"
          className="flex shrink-0 items-center gap-1 text-xs text-faint"
        >
          <Lock size={12} aria-hidden /> jailed
        </span>
      )}
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}
