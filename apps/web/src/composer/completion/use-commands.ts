// The agent's slash commands, fetched when it runs and again whenever it reports that they changed. A stopped agent is started
// for them when a slash is typed.

import { CommandsData, type SlashCommandInfo } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { CommandError } from "../../connection/outgoing/pending-commands.ts";
import { useCan } from "../../connection/use-can.ts";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";

const none: readonly SlashCommandInfo[] = [];

export function useCommands(text: string): readonly SlashCommandInfo[] {
  const feed = useFeed();
  const can = useCan("commands");
  const edition = useFeedState((state) => state.commandsEdition);
  const live = useFeedState((state) => state.link.state === "live" && state.caughtUp);
  const runs = useFeedState(({ session }) => ["idle", "busy", "waiting"].includes(session?.state ?? ""));
  const start = !runs && text.startsWith("/");
  const [known, setKnown] = useState({ edition, commands: none });
  useEffect(() => {
    if (!can || !live || (!runs && !start)) return;
    let stale = false;
    feed.ask({ type: "get_commands", ...(start ? { start } : {}) }).then(
      (data) => {
        const read = CommandsData.safeParse(data);
        if (!stale && read.success) setKnown({ edition, commands: read.data.commands });
      },
      (error: unknown) => {
        // Without them a slash has no meaning; the next change tries again.
        if (!(error instanceof CommandError)) throw error;
      },
    );
    return () => {
      stale = true;
    };
  }, [feed, can, live, edition, runs, start]);
  return can ? known.commands : none;
}

/** The name of the slash command, when the text is one that the worker knows; null: it is a prompt. */
export function commandIn(text: string, commands: readonly SlashCommandInfo[]): string | null {
  const name = /^\/(\S+)(?:\s|$)/.exec(text)?.[1];
  return name !== undefined && commands.some((command) => command.name === name) ? name : null;
}

/** The commands that may be meant by what is written so far; null: no slash command is being written. */
export function completions(
  text: string,
  commands: readonly SlashCommandInfo[],
): readonly SlashCommandInfo[] | null {
  const written = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (written === undefined || commands.length === 0) return null;
  const rank = ({ name, description }: SlashCommandInfo): number => {
    const lower = name.toLowerCase();
    if (lower.startsWith(written)) return 0;
    if (lower.includes(written)) return 1;
    return written.length > 1 && description.toLowerCase().includes(written) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.command.name.localeCompare(b.command.name))
    .map((found) => found.command);
}
