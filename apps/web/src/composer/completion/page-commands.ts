// The slash commands that the page carries out itself, beside those of the agent: their names, and which can be used now.
// They are never sent to the agent. Where the agent has a command of the same name, that one is meant: its users know it,
// and the page's is in the palette too.
import type { SessionInfo, SlashCommandInfo } from "@patchbay/protocol";
import { exportFormats } from "../../api/sessions.ts";
import { isAtWork } from "../../connection/is-at-work.ts";
import type { SessionFeed } from "../../connection/session-feed.ts";
import { isPhone } from "../../device/is-phone.ts";
import { canCompact } from "../../session-actions/compact-context.ts";
import { showProblem } from "../../ui/feedback/problem.ts";
import { composerTexts } from "../texts.ts";

interface Usage {
  /** What may follow it. */
  hint?: () => string;
  /** Why it cannot be carried out now; null: it can. */
  obstacle?: (place: PageCommandPlace) => string | null;
}

const needs =
  (capability: string) =>
  ({ session }: PageCommandPlace): string | null =>
    session.capabilities.includes(capability) ? null : composerTexts.notOffered;

const usages = {
  help: {},
  compact: {
    obstacle: (place) =>
      needs("compact")(place) ??
      (canCompact(place.feed.store.getState()) ? null : composerTexts.nothingToCompact),
  },
  clear: {},
  new: {},
  model: { hint: () => composerTexts.hintModel },
  thinking: { hint: () => composerTexts.hintLevel, obstacle: needs("thinking_levels") },
  approvals: { hint: () => composerTexts.hintApprovals, obstacle: needs("approvals") },
  diff: { hint: () => composerTexts.hintPath },
  files: { hint: () => composerTexts.hintPath },
  split: {
    hint: () => composerTexts.hintSession,
    obstacle: () => (isPhone() ? composerTexts.noRoom : null),
  },
  rename: { hint: () => composerTexts.hintName },
  export: { hint: () => exportFormats.join(" | ") },
  pin: {},
  archive: {},
  stop: { obstacle: ({ session }) => (isAtWork(session) ? null : composerTexts.nothingToStop) },
  costs: {},
  budgets: {},
  search: { hint: () => composerTexts.hintSearch },
  settings: {},
  setup: {},
} satisfies Record<string, Usage>;

export type PageCommandName = keyof typeof usages;

export interface PageCommandPlace {
  session: SessionInfo;
  feed: SessionFeed;
}

const isName = (name: string): name is PageCommandName => Object.hasOwn(usages, name);
const usageOf = (name: PageCommandName): Usage => usages[name];

/** What carries them out is loaded with the first one. */
export const loadPageCommands = () => import("./run-page-command.ts");

/** All of them, in the language of the page. */
const pageCommands = (): (SlashCommandInfo & { name: PageCommandName })[] =>
  Object.keys(usages)
    .filter(isName)
    .map((name) => {
      const hint = usageOf(name).hint?.();
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
      (usageOf(name).obstacle?.(place) ?? null) === null,
  ),
];

interface PageCommand {
  /** Carries it out; returns why it cannot be. */
  run(place: PageCommandPlace): string | null;
}

/** The command of the page that the text is; null: it is none, or one of the agent. */
export function pageCommandIn(text: string, ofAgent: readonly SlashCommandInfo[]): PageCommand | null {
  const [, name = "", argument = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (!isName(name) || ofAgent.some((command) => command.name === name)) return null;
  const { hint, obstacle } = usageOf(name);
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
