// Pages of the palette for how the open session works: approvals, modes, and the branches it has.
import { describeBranches } from "@patchbay/protocol";
import { Check, GitBranch } from "lucide-react";
import { useMemo } from "react";
import { useTextSetting } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { plural } from "../format/plural.ts";
import { approvalModes } from "../surface/approval-modes.ts";
import { useModes } from "../surface/use-modes.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { Item } from "./item.tsx";

interface Props {
  onRun(action: () => void): void;
}

export const Chosen = () => <Check size={14} aria-label="chosen" className="text-accent" />;

export function Approvals({ onRun }: Props) {
  const feed = useFeed();
  const now = useTextSetting("approval_mode");
  return approvalModes.map(({ value, label, detail }) => (
    <Item
      key={value}
      id={value}
      label={label}
      icon={value === now ? <Chosen /> : undefined}
      detail={detail}
      below
      onSelect={() => onRun(() => attempt(feed.ask({ type: "set_approval_mode", mode: value })))}
    />
  ));
}

export function Modes({ onRun }: Props) {
  const feed = useFeed();
  return useModes().flatMap(({ title, command, value: now, choices }) =>
    choices.map(({ value, label }) => (
      <Item
        key={`${command} ${value}`}
        id={`${command} ${value}`}
        label={label}
        words={[title]}
        icon={value === now ? <Chosen /> : undefined}
        detail={title}
        below
        onSelect={() => onRun(() => attempt(feed.ask({ type: command, mode: value })))}
      />
    )),
  );
}

export function Branches({ onRun }: Props) {
  const feed = useFeed();
  const transcript = useFeedState((state) => state.transcript);
  const { branch: shown, branches } = useMemo(() => describeBranches(transcript), [transcript]);
  return branches.map(({ branch, text, message_count }) => (
    <Item
      key={branch}
      id={branch}
      label={text === "" ? "Nothing said there yet" : text}
      icon={branch === shown ? <Chosen /> : <GitBranch size={15} />}
      detail={plural(message_count, "message")}
      below
      onSelect={() => onRun(() => branch !== shown && attempt(feed.ask({ type: "switch_branch", branch })))}
    />
  ));
}
