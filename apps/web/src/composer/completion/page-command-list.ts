// The slash commands that the page carries out itself: their names, what may follow them, and which can be used now.
import type { SessionInfo } from "@patchbay/protocol";
import { exportFormats } from "../../api/sessions.ts";
import { isAtWork } from "../../connection/is-at-work.ts";
import type { SessionFeed } from "../../connection/session-feed.ts";
import { isPhone } from "../../device/is-phone.ts";
import { canCompact } from "../../session-actions/compact-context.ts";
import { composerTexts } from "../texts.ts";

interface PageCommandUsage {
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
} satisfies Record<string, PageCommandUsage>;

export type PageCommandName = keyof typeof usages;

export interface PageCommandPlace {
  session: SessionInfo;
  feed: SessionFeed;
}

export const pageCommandNames = (): PageCommandName[] => Object.keys(usages).filter(isPageCommand);

export const isPageCommand = (name: string): name is PageCommandName => Object.hasOwn(usages, name);
export const pageCommandUsage = (name: PageCommandName): PageCommandUsage => usages[name];
