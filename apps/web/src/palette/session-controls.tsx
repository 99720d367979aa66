// How the open session works: its model and its modes, as far as its worker has them.
import {
  Brain,
  Cpu,
  FoldVertical,
  MessageCircleQuestion,
  RefreshCcw,
  ShieldCheck,
  SlidersHorizontal,
  SquareSlash,
} from "lucide-react";
import { useCan, useSwitch } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { showsFiles } from "../navigation/session-address.ts";
import { approvalModes } from "../surface/approval-modes.ts";
import { sandboxWords } from "../surface/sandbox-words.ts";
import { useApprovals, useModes } from "../surface/use-modes.ts";
import { useSandbox } from "../surface/use-sandbox.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { Item, ItemGroup } from "./item.tsx";
import type { Page } from "./pages.tsx";

interface Props {
  onRun(action: () => void): void;
  onPage(page: Page): void;
}

export function SessionControls({ onRun, onPage }: Props) {
  const feed = useFeed();
  const model = useFeedState(({ session }) => session?.model ?? "");
  const known = useFeedState(({ session }) => session !== null);
  const canThink = useCan("thinking_levels");
  const canCommand = useCan("commands");
  const approval = useApprovals();
  const modes = useModes();
  const sandbox = useSandbox();
  const compacts = useSwitch("auto_compaction");
  const retries = useSwitch("auto_retry");
  const canCompact = useCan("auto_compaction");
  const canRetry = useCan("auto_retry");
  if (!known) return null;
  const ask = (command: { type: string; [field: string]: unknown }) => () =>
    onRun(() => attempt(feed.ask(command)));
  return (
    <ItemGroup title="How it works">
      <Item
        id="model"
        label="Model…"
        words={[model]}
        icon={<Cpu size={15} />}
        detail={model}
        onSelect={() => onPage("model")}
      />
      {canThink && (
        <Item
          id="thinking"
          label="Thinking level…"
          words={["reasoning"]}
          icon={<Brain size={15} />}
          onSelect={() => onPage("thinking")}
        />
      )}
      {approval !== undefined && (
        <Item
          id="approvals"
          label="Approvals…"
          words={["permission", "ask", "full access", "safety"]}
          icon={<MessageCircleQuestion size={15} />}
          detail={approvalModes.find(({ value }) => value === approval)?.label}
          onSelect={() => onPage("approvals")}
        />
      )}
      {modes.length > 0 && (
        <Item
          id="modes"
          label="Queue and steering…"
          words={["modes", "interrupt", "follow up"]}
          icon={<SlidersHorizontal size={15} />}
          onSelect={() => onPage("modes")}
        />
      )}
      {sandbox?.by === "choice" && (sandbox.problem === null || sandbox.leaks) && (
        <Item
          id="sandbox"
          label="Sandbox: only this directory"
          words={["jail", "confine", "directory", "safety"]}
          icon={<ShieldCheck size={15} />}
          detail={sandbox.on ? sandboxWords.on : sandboxWords.off}
          onSelect={ask({ type: "set_jail", mode: sandbox.on || sandbox.leaks ? "off" : "on" })}
        />
      )}
      {canCompact && compacts !== undefined && (
        <Item
          id="auto compaction"
          label="Compact when nearly full"
          words={["auto", "context"]}
          icon={<FoldVertical size={15} />}
          detail={compacts ? "on" : "off"}
          onSelect={ask({ type: "set_auto_compaction", enabled: !compacts })}
        />
      )}
      {canRetry && retries !== undefined && (
        <Item
          id="auto retry"
          label="Retry failed model calls"
          words={["auto"]}
          icon={<RefreshCcw size={15} />}
          detail={retries ? "on" : "off"}
          onSelect={ask({ type: "set_auto_retry", enabled: !retries })}
        />
      )}
      {/* Some want words of their own, which are written beside the transcript */}
      {canCommand && !showsFiles() && (
        <Item
          id="slash"
          label="Run a slash command…"
          words={["command", "/"]}
          icon={<SquareSlash size={15} />}
          onSelect={() => onPage("commands")}
        />
      )}
    </ItemGroup>
  );
}
