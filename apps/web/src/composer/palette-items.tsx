// Stopping the agent, and its slash commands, in the palette.
import { CommandsData } from "@patchbay/protocol";
import { CircleStop, SquareSlash } from "lucide-react";
import { isAtWork } from "../connection/is-at-work.ts";
import { useCan } from "../connection/use-can.ts";
import { useCommandData } from "../connection/use-command-data.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { filesCoverSession } from "../navigation/files-address.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { PaletteItem, PaletteNote } from "../palette/palette-item.tsx";
import { stopCommand } from "../session-actions/stop-command.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { composerTexts } from "./texts.ts";

export function StopItem() {
  const feed = useFeed();
  const { run } = usePalette();
  const session = useFeedState((state) => state.session);
  if (session === null || !isAtWork(session)) return null;
  return (
    <PaletteItem
      id="stop turn"
      label={composerTexts.stopAgent}
      keywords={["abort", "cancel"]}
      icon={<CircleStop size={15} />}
      shortcut="Esc"
      onSelect={() => run(() => attempt(feed.ask(stopCommand(session))))}
    />
  );
}

export function SlashCommandItem() {
  const { open } = usePalette();
  // A command with arguments is written in the composer, which the files cover on a phone.
  if (!useCan("commands") || filesCoverSession()) return null;
  return (
    <PaletteItem
      id="slash"
      label={composerTexts.slashCommand}
      keywords={["command", "/"]}
      icon={<SquareSlash size={15} />}
      onSelect={() => open(slashCommandPage)}
    />
  );
}

function SlashCommands() {
  const feed = useFeed();
  const { run } = usePalette();
  const answer = useCommandData("get_commands");
  if (answer.state === "waiting") return <PaletteNote>{composerTexts.loadingCommands}</PaletteNote>;
  if (answer.state === "failed") return <PaletteNote>{answer.message}</PaletteNote>;
  const read = CommandsData.safeParse(answer.data);
  if (!read.success) return <PaletteNote>{composerTexts.commandsUnreadable}</PaletteNote>;
  return read.data.commands.map(({ name, description, hint, source }) => (
    <PaletteItem
      key={name}
      id={name}
      label={
        <>
          <span className="font-mono">/{name}</span>{" "}
          <span className="text-faint">{hint === undefined ? "" : `${hint} `}</span>
          <span className="text-muted">{description}</span>
        </>
      }
      keywords={[name, description]}
      detail={source}
      onSelect={() =>
        run(() =>
          hint === undefined
            ? feed.prompt(`/${name}`, [], "command")
            : feed.replaceText(`/${name} `, composerTexts.palette),
        )
      }
    />
  ));
}

const slashCommandPage: PalettePage = {
  get title() {
    return composerTexts.slashCommands;
  },
  get placeholder() {
    return composerTexts.whichCommand;
  },
  Items: SlashCommands,
};
