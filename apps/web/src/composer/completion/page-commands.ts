// Finds the slash command of the page in a text, and lists them beside those of the agent. They are never sent to the agent. Where the agent
// has a command of the same name, that one is meant: its users know it, and the page's is in the palette too.
import type { SlashCommandInfo } from "@patchbay/protocol";
import { showProblem } from "../../ui/feedback/problem.ts";
import { composerTexts } from "../texts.ts";
import {
  isPageCommand,
  type PageCommandName,
  type PageCommandPlace,
  pageCommandNames,
  pageCommandUsage,
} from "./page-command-list.ts";

/** What carries them out is loaded with the first one. */
export const loadPageCommands = () => import("./run-page-command.ts");

/** All of them, in the language of the page. */
const pageCommands = (): (SlashCommandInfo & { name: PageCommandName })[] =>
  pageCommandNames().map((name) => {
    const hint = pageCommandUsage(name).hint?.();
    return {
      name,
      description: composerTexts[`command_${name}`],
      source: "Patchbay",
      ...(hint === undefined ? {} : { hint: `[${hint}]` }),
    };
  });

/** Those of the agent, and those of the page that can be carried out now and whose name the agent does not use. */
export const withPageCommands = (
  ofAgent: readonly SlashCommandInfo[],
  place: PageCommandPlace | null,
): SlashCommandInfo[] => [
  ...ofAgent,
  ...pageCommands().filter(
    ({ name }) =>
      place !== null &&
      !ofAgent.some((command) => command.name === name) &&
      (pageCommandUsage(name).obstacle?.(place) ?? null) === null,
  ),
];

interface PageCommand {
  /** Carries it out; returns why it cannot be. */
  run(place: PageCommandPlace): string | null;
}

/** The command of the page that the text is; null: it is none, or one of the agent. */
export function pageCommandIn(text: string, ofAgent: readonly SlashCommandInfo[]): PageCommand | null {
  const [, name = "", argument = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (!isPageCommand(name) || ofAgent.some((command) => command.name === name)) return null;
  const { hint, obstacle } = pageCommandUsage(name);
  return {
    run: (place) => {
      const problem = obstacle?.(place) ?? null;
      if (problem !== null) return problem;
      // "/costs are too high" is no command, and must not be lost either: it stays in the field.
      if (argument !== "" && hint === undefined) return composerTexts.takesNothing(name);
      loadPageCommands().then(
        ({ runPageCommand }) => runPageCommand(name, place, argument.trim()),
        () => showProblem(composerTexts.notLoaded(name)),
      );
      return null;
    },
  };
}
