// Carries out the slash commands of the page.
import type { SessionInfo } from "@patchbay/protocol";
import { createSession, exportFormats, exportSession, updateSession } from "../../api/sessions.ts";
import { openFiles } from "../../navigation/files-address.ts";
import { showOverlay, showPalettePage } from "../../navigation/overlay.ts";
import { go, sessionAddress } from "../../navigation/session-address.ts";
import { archive, pin, rename } from "../../session-actions/actions.ts";
import { compactContext } from "../../session-actions/compact-context.ts";
import { stopCommand } from "../../session-actions/stop-command.ts";
import { useSessionList } from "../../session-list/session-list.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import type { PageCommandName, PageCommandPlace } from "./page-command-list.ts";

/** The server refuses a longer name. */
const longestName = 200;

const runs: Readonly<Record<PageCommandName, (place: PageCommandPlace, argument: string) => void>> = {
  help: () => showOverlay("shortcuts"),
  compact: ({ feed }) => compactContext(feed),
  clear: ({ session }) => attempt(startOver(session)),
  new: () => showOverlay("new-session"),
  model: (_, argument) => showPalettePage("model", argument),
  thinking: (_, argument) => showPalettePage("thinking", argument),
  approvals: (_, argument) => showPalettePage("approvals", argument),
  diff: ({ session }, path) => openFiles(session.id, { tab: "changes", path }),
  files: ({ session }, argument) => {
    const [, path = argument, line] = /^(.+?):(\d+)$/.exec(argument) ?? [];
    openFiles(session.id, { tab: "files", path, line: line === undefined ? null : Number(line) });
  },
  split: (_, argument) => showPalettePage("beside", argument),
  rename: ({ session }, name) => {
    if (name === "") return rename(session);
    attempt(
      updateSession(session.id, { name: name.slice(0, longestName) }).then(useSessionList.getState().put),
    );
  },
  export: ({ session }, argument) => {
    const format = exportFormats.find((known) => known === argument.toLowerCase());
    if (format === undefined) return showPalettePage("export", argument);
    attempt(exportSession(session.id, format));
  },
  pin: ({ session }) => attempt(pin(session)),
  archive: ({ session }) => attempt(archive(session)),
  stop: ({ session, feed }) => attempt(feed.ask(stopCommand(session))),
  costs: () => go("/costs"),
  budgets: () => go("/costs/budgets"),
  search: (_, q) => go(q === "" ? "/search" : `/search?${new URLSearchParams({ q })}`),
  settings: () => showOverlay("settings"),
  setup: () => go("/setup"),
};

export const runPageCommand = (name: PageCommandName, place: PageCommandPlace, argument: string): void =>
  runs[name](place, argument);

/** A new session in the same directory, with the same agent and model. This one is kept. */
async function startOver({ cwd, worker, model }: SessionInfo): Promise<void> {
  const next = await createSession({ cwd, worker, ...(model === "" ? {} : { model }) });
  useSessionList.getState().put(next);
  go(sessionAddress(next.id));
}
