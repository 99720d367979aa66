// How the open session works, in the palette: its model and its modes, as far as its worker has them.
import { ModelsData } from "@patchbay/protocol";
import {
  Brain,
  Cpu,
  FoldVertical,
  MessageCircleQuestion,
  RefreshCcw,
  ShieldCheck,
  SlidersHorizontal,
} from "lucide-react";
import { useCan, useSwitch, useTextSetting } from "../connection/use-can.ts";
import { useCommandData } from "../connection/use-command-data.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { providerName } from "../format/agent-name.ts";
import { formatTokens } from "../format/tokens.ts";
import { actionKeys } from "../navigation/action-keys.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { Chosen, PaletteItem, PaletteNote } from "../palette/palette-item.tsx";
import { rememberModel } from "../preferences/recent-models.ts";
import { approvalModes } from "../safety/approval-modes.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { controlsTexts } from "./texts.ts";
import { thinkingName } from "./thinking-name.ts";
import { useThinkingLevels } from "./thinking-picker.tsx";
import { useApprovals, useModes } from "./use-modes.ts";
import { useSandbox } from "./use-sandbox.ts";

export function ControlItems() {
  const feed = useFeed();
  const { run, open } = usePalette();
  const model = useFeedState(({ session }) => session?.model ?? "");
  const canThink = useCan("thinking_levels");
  const approval = useApprovals();
  const modes = useModes();
  const sandbox = useSandbox();
  const compacts = useSwitch("auto_compaction");
  const retries = useSwitch("auto_retry");
  const canCompact = useCan("auto_compaction");
  const canRetry = useCan("auto_retry");
  const ask = (command: { type: string; [field: string]: unknown }) => () =>
    run(() => attempt(feed.ask(command)));
  return (
    <>
      <PaletteItem
        id="model"
        label={controlsTexts.modelCommand}
        keywords={[model]}
        icon={<Cpu size={15} />}
        detail={model}
        shortcut={actionKeys.model}
        onSelect={() => open(modelPage())}
      />
      {canThink && (
        <PaletteItem
          id="thinking"
          label={controlsTexts.thinkingCommand}
          keywords={["reasoning"]}
          icon={<Brain size={15} />}
          shortcut={actionKeys.thinking}
          onSelect={() => open(thinkingPage())}
        />
      )}
      {approval !== undefined && (
        <PaletteItem
          id="approvals"
          label={controlsTexts.approvalsCommand}
          keywords={["permission", "ask", "full access", "safety"]}
          icon={<MessageCircleQuestion size={15} />}
          detail={approvalModes().find(({ value }) => value === approval)?.label}
          onSelect={() => open(approvalsPage())}
        />
      )}
      {modes.length > 0 && (
        <PaletteItem
          id="modes"
          label={controlsTexts.modesCommand}
          keywords={["modes", "interrupt", "follow up"]}
          icon={<SlidersHorizontal size={15} />}
          onSelect={() => open(modesPage())}
        />
      )}
      {sandbox?.by === "choice" && (sandbox.problem === null || sandbox.leaks) && (
        <PaletteItem
          id="sandbox"
          label={controlsTexts.sandboxCommand}
          keywords={["jail", "confine", "directory", "safety"]}
          icon={<ShieldCheck size={15} />}
          detail={sandbox.on ? controlsTexts.sandboxed : controlsTexts.unsandboxed}
          onSelect={ask({ type: "set_jail", mode: sandbox.on || sandbox.leaks ? "off" : "on" })}
        />
      )}
      {canCompact && compacts !== undefined && (
        <PaletteItem
          id="auto compaction"
          label={controlsTexts.autoCompaction}
          keywords={["auto", "context"]}
          icon={<FoldVertical size={15} />}
          detail={compacts ? controlsTexts.switchOn : controlsTexts.switchOff}
          onSelect={ask({ type: "set_auto_compaction", enabled: !compacts })}
        />
      )}
      {canRetry && retries !== undefined && (
        <PaletteItem
          id="auto retry"
          label={controlsTexts.autoRetry}
          keywords={["auto"]}
          icon={<RefreshCcw size={15} />}
          detail={retries ? controlsTexts.switchOn : controlsTexts.switchOff}
          onSelect={ask({ type: "set_auto_retry", enabled: !retries })}
        />
      )}
    </>
  );
}

function Models() {
  const feed = useFeed();
  const { run } = usePalette();
  const session = useFeedState((state) => state.session);
  const canSeeAll = useCan("models");
  const answer = useCommandData(canSeeAll ? "get_available_models" : "get_models");
  if (answer.state === "waiting") return <PaletteNote>{controlsTexts.modelsLoading}</PaletteNote>;
  if (answer.state === "failed") return <PaletteNote>{answer.message}</PaletteNote>;
  const read = ModelsData.safeParse(answer.data);
  if (!read.success) return <PaletteNote>{controlsTexts.modelsUnreadable}</PaletteNote>;
  return read.data.models.map(({ provider, id, context_window }) => (
    <PaletteItem
      key={`${provider}/${id}`}
      id={`${provider}/${id}`}
      label={id}
      keywords={[provider]}
      icon={provider === session?.provider && id === session.model ? <Chosen /> : undefined}
      detail={
        context_window > 0
          ? `${providerName(provider)} · ${formatTokens(context_window)}`
          : providerName(provider)
      }
      onSelect={() =>
        run(() =>
          attempt(
            feed
              .ask({ type: "set_model", ...(canSeeAll ? { provider, modelId: id } : { model: id }) })
              .then(() => rememberModel(`${provider}/${id}`)),
          ),
        )
      }
    />
  ));
}

function ThinkingLevels() {
  const feed = useFeed();
  const { run } = usePalette();
  const now = useFeedState((state) => state.transcript.surface.settings?.thinking_level);
  return useThinkingLevels().map((level) => (
    <PaletteItem
      key={level}
      id={level}
      label={thinkingName(level)}
      icon={level === now ? <Chosen /> : undefined}
      onSelect={() => run(() => attempt(feed.ask({ type: "set_thinking_level", level })))}
    />
  ));
}

function Approvals() {
  const feed = useFeed();
  const { run } = usePalette();
  const now = useTextSetting("approval_mode");
  return approvalModes().map(({ value, label, detail }) => (
    <PaletteItem
      key={value}
      id={value}
      label={label}
      icon={value === now ? <Chosen /> : undefined}
      detail={detail}
      below
      onSelect={() => run(() => attempt(feed.ask({ type: "set_approval_mode", mode: value })))}
    />
  ));
}

function Modes() {
  const feed = useFeed();
  const { run } = usePalette();
  return useModes().flatMap(({ title, command, value: now, choices }) =>
    choices.map(({ value, label }) => (
      <PaletteItem
        key={`${command} ${value}`}
        id={`${command} ${value}`}
        label={label}
        keywords={[title]}
        icon={value === now ? <Chosen /> : undefined}
        detail={title}
        below
        onSelect={() => run(() => attempt(feed.ask({ type: command, mode: value })))}
      />
    )),
  );
}

export const modelPage = (): PalettePage => ({
  title: controlsTexts.model,
  placeholder: controlsTexts.modelPrompt,
  Items: Models,
});
export const thinkingPage = (): PalettePage => ({
  title: controlsTexts.thinkingTitle,
  placeholder: controlsTexts.thinkingPrompt,
  Items: ThinkingLevels,
});
export const approvalsPage = (): PalettePage => ({
  title: controlsTexts.approvals,
  placeholder: controlsTexts.approvalsPrompt,
  Items: Approvals,
});
const modesPage = (): PalettePage => ({
  title: controlsTexts.modesTitle,
  placeholder: controlsTexts.modesPrompt,
  Items: Modes,
});
