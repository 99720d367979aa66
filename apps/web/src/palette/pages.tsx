// The pages of the palette: lists that are too long, or too rarely wanted, for its first one.
import { CommandsData, ModelsData, thinkingLevels } from "@patchbay/protocol";
import { Command } from "cmdk";
import { Download, Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { exportFormats, exportSession } from "../api/sessions.ts";
import { activeFeed } from "../connection/open-feeds.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatTokens } from "../format/tokens.ts";
import { openBeside, placeNow } from "../navigation/session-address.ts";
import { useSessions } from "../session-list/session-list.ts";
import { formatNames } from "../sessions/export-names.ts";
import { type ThemeChoice, useTheme } from "../theme/theme.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { SessionItem } from "./home-items.tsx";
import { Item } from "./item.tsx";
import { Approvals, Branches, Chosen, Modes } from "./mode-pages.tsx";

export type Page =
  | "model"
  | "thinking"
  | "approvals"
  | "modes"
  | "branches"
  | "theme"
  | "commands"
  | "beside"
  | "export";

interface ItemsProps {
  onRun(action: () => void): void;
}

interface PageLook {
  title: string;
  placeholder: string;
  items: (props: ItemsProps) => ReactNode;
}

const themes: readonly { choice: ThemeChoice; label: string; icon: ReactNode }[] = [
  { choice: "system", label: "As the system", icon: <Monitor size={15} /> },
  { choice: "light", label: "Light", icon: <Sun size={15} /> },
  { choice: "dark", label: "Dark", icon: <Moon size={15} /> },
];

function Themes({ onRun }: ItemsProps) {
  const { choice: chosen, choose } = useTheme();
  return themes.map(({ choice, label, icon }) => (
    <Item
      key={choice}
      id={choice}
      label={label}
      icon={icon}
      detail={choice === chosen ? <Chosen /> : undefined}
      onSelect={() => onRun(() => choose(choice))}
    />
  ));
}

function Models({ onRun }: ItemsProps) {
  const feed = activeFeed();
  const session = feed?.store.getState().session;
  const all = session?.capabilities.includes("models") ?? false;
  const asked = useAsked(all ? "get_available_models" : "get_models");
  if (asked.note !== null) return <Note words={asked.note} />;
  const read = ModelsData.safeParse(asked.data);
  if (!read.success || feed === null) return <Note words="The worker's list could not be read." />;
  return read.data.models.map(({ provider, id, context_window }) => (
    <Item
      key={`${provider}/${id}`}
      id={`${provider}/${id}`}
      label={id}
      words={[provider]}
      icon={provider === session?.provider && id === session.model ? <Chosen /> : undefined}
      detail={context_window > 0 ? `${provider} · ${formatTokens(context_window)}` : provider}
      onSelect={() =>
        onRun(() =>
          attempt(feed.ask({ type: "set_model", ...(all ? { provider, modelId: id } : { model: id }) })),
        )
      }
    />
  ));
}

function Thinking({ onRun }: ItemsProps) {
  const feed = activeFeed();
  const now = feed?.store.getState().transcript.surface.settings?.["thinking_level"];
  return thinkingLevels.map((level) => (
    <Item
      key={level}
      id={level}
      label={level === "xhigh" ? "Highest" : `${level.charAt(0).toUpperCase()}${level.slice(1)}`}
      icon={level === now ? <Chosen /> : undefined}
      onSelect={() => onRun(() => feed !== null && attempt(feed.ask({ type: "set_thinking_level", level })))}
    />
  ));
}

function SlashCommands({ onRun }: ItemsProps) {
  const feed = activeFeed();
  const asked = useAsked("get_commands");
  if (asked.note !== null) return <Note words={asked.note} />;
  const read = CommandsData.safeParse(asked.data);
  if (!read.success || feed === null) return <Note words="The worker's commands could not be read." />;
  return read.data.commands.map(({ name, description, hint, source }) => (
    <Item
      key={name}
      id={name}
      label={
        <>
          <span className="font-mono">/{name}</span>{" "}
          <span className="text-faint">{hint === undefined ? "" : `${hint} `}</span>
          <span className="text-muted">{description}</span>
        </>
      }
      words={[name, description]}
      detail={source}
      // One that wants words of its own goes to where they are written.
      onSelect={() =>
        onRun(() =>
          hint === undefined
            ? feed.prompt(`/${name}`, [], "command")
            : feed.putText(`/${name} `, "The palette"),
        )
      }
    />
  ));
}

function Beside({ onRun }: ItemsProps) {
  const { session: shown } = placeNow();
  return useSessions()
    .filter(({ id }) => id !== shown)
    .map((session) => (
      <SessionItem key={session.id} session={session} onSelect={() => onRun(() => openBeside(session.id))} />
    ));
}

function Exports({ onRun }: ItemsProps) {
  const feed = activeFeed();
  return exportFormats.map((format) => (
    <Item
      key={format}
      id={format}
      label={formatNames[format]}
      icon={<Download size={15} />}
      onSelect={() => onRun(() => feed !== null && attempt(exportSession(feed.id, format)))}
    />
  ));
}

/** What the worker of the open session answers; `note` until it has. */
function useAsked(type: string): { note: string | null; data: unknown } {
  const [asked, setAsked] = useState<{ note: string | null; data: unknown }>({
    note: "Asking the worker…",
    data: null,
  });
  useEffect(() => {
    const feed = activeFeed();
    if (feed === null) return;
    let gone = false;
    feed.ask({ type }).then(
      (data) => !gone && setAsked({ note: null, data }),
      (error: unknown) => !gone && setAsked({ note: errorMessage(error), data: null }),
    );
    return () => {
      gone = true;
    };
  }, [type]);
  return asked;
}

const Note = ({ words }: { words: string }) => (
  <Command.Loading className="px-3 py-6 text-center text-sm text-faint">{words}</Command.Loading>
);

export const pages: Readonly<Record<Page, PageLook>> = {
  model: { title: "Model", placeholder: "Which model answers", items: Models },
  thinking: { title: "Thinking level", placeholder: "How long it may think", items: Thinking },
  approvals: { title: "Approvals", placeholder: "What it may do by itself", items: Approvals },
  modes: { title: "Queue and steering", placeholder: "How messages reach it", items: Modes },
  branches: { title: "Branches", placeholder: "Which way the conversation went", items: Branches },
  theme: { title: "Theme", placeholder: "Light or dark", items: Themes },
  commands: { title: "Slash commands", placeholder: "Which command", items: SlashCommands },
  beside: { title: "Open beside", placeholder: "Which session beside this one", items: Beside },
  export: { title: "Export", placeholder: "As what", items: Exports },
};
