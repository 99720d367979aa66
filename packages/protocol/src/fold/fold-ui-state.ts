// How each frame changes the UI state. Pure, and bounded: an extension that never stops adding things loses
// its oldest, because all of it travels in every snapshot.
import { allowingAnswers } from "../approvals/permission.ts";
import { questionMethods, type UiRequestEvent } from "../events/events.ts";
import { Settings, UiUpdate } from "../events/ui-state-events.ts";
import type { Frame } from "../frames/frame.ts";
import { emptyUiState, type PanelState, type UiState } from "../transcript/ui-state.ts";

/** More than fit beside a composer; and as many lines as a person would scroll through. */
const limits = {
  statuses: 24,
  widgets: 12,
  widgetLines: 60,
  panels: 6,
  panelLines: 300,
  asked: 100,
  steering: 64,
};
/** A line of a wide terminal with its colours, several times over; six full panels are then under 2 MB. */
const lineLength = 1_000;

export function foldUiState(before: UiState, frame: Frame): UiState {
  switch (frame.type) {
    case "extension_ui_request":
      return questionMethods.has(frame.method) ? addQuestion(before, frame) : applyUpdate(before, frame);
    case "ui_resolved":
      return before.asked.some(({ id }) => id === frame.id)
        ? { ...before, asked: before.asked.filter(({ id }) => id !== frame.id) }
        : before;
    case "ext_panel":
      return {
        ...before,
        panels: put(
          before.panels,
          {
            extension: frame.extension,
            id: frame.panel_id,
            title: cut(frame.title),
            lines: cutLines(frame.lines, limits.panelLines),
            footer: cut(frame.footer ?? ""),
          },
          (panel) => isPanel(panel, frame),
          limits.panels,
        ),
      };
    case "ext_panel_close":
      return before.panels.some((panel) => isPanel(panel, frame))
        ? { ...before, panels: before.panels.filter((panel) => !isPanel(panel, frame)) }
        : before;
    case "settings": {
      const { type: _type, ...settings } = frame;
      return { ...before, settings: knownSettings(settings) };
    }
    case "queue_update": {
      const steering = cutLines(frame.steering, limits.steering);
      return steering.length + before.steering.length === 0 ? before : { ...before, steering };
    }
    case "auto_compaction_start":
      return { ...before, compacting: cut(frame.reason) };
    case "auto_compaction_end":
    case "compact_done":
    case "done":
      return before.compacting === null ? before : { ...before, compacting: null };
    case "worker":
      return frame.event === "exited" && !isReset(before) ? reset(before) : before;
    default:
      return before;
  }
}

/** The controls stay as they stood: the next worker reports its own. */
const reset = ({ settings }: UiState): UiState => ({ ...emptyUiState, settings });

const isReset = ({ title, statuses, widgets, panels, asked, steering, compacting }: UiState): boolean =>
  title === null &&
  compacting === null &&
  [statuses, widgets, panels, asked, steering].every((items) => items.length === 0);

function addQuestion(before: UiState, question: UiRequestEvent): UiState {
  const { id, method, title, message, call_id } = question;
  const allows = allowingAnswers(question);
  const asked = {
    ...{ id, method, title: cut(title ?? message ?? "") },
    ...(allows.length === 0 ? {} : { allows }),
    ...(typeof call_id === "string" ? { call_id: cut(call_id) } : {}),
  };
  return { ...before, asked: put(before.asked, asked, (known) => known.id === id, limits.asked) };
}

function applyUpdate(before: UiState, frame: UiRequestEvent): UiState {
  const read = UiUpdate.safeParse(frame);
  if (!read.success) return before;
  const update = read.data;
  switch (update.method) {
    case "setStatus": {
      const key = cut(update.statusKey);
      const text = update.statusText ?? "";
      const known = before.statuses.find((one) => one.key === key);
      if (text === (known?.text ?? "")) return before;
      if (text === "") return { ...before, statuses: before.statuses.filter((one) => one !== known) };
      const status = { key, text: cut(text) };
      return { ...before, statuses: put(before.statuses, status, (one) => one.key === key, limits.statuses) };
    }
    case "setWidget": {
      const key = cut(update.widgetKey);
      const lines = cutLines(update.widgetLines ?? [], limits.widgetLines);
      const known = before.widgets.find((one) => one.key === key);
      if (lines.length === 0)
        return known === undefined
          ? before
          : { ...before, widgets: before.widgets.filter((one) => one !== known) };
      const placement = update.widgetPlacement === "belowEditor" ? ("below" as const) : ("above" as const);
      const widget = { key, lines, placement };
      return { ...before, widgets: put(before.widgets, widget, (one) => one.key === key, limits.widgets) };
    }
    case "setTitle": {
      const title = cut(update.title.trim());
      return title === (before.title ?? "") ? before : { ...before, title: title === "" ? null : title };
    }
    case "notify":
    case "set_editor_text":
      return before; // the one is a notice in the transcript, the other for the person at the composer
  }
}

const isPanel = (
  panel: PanelState,
  { extension, panel_id }: { extension: string; panel_id: string },
): boolean => panel.id === panel_id && panel.extension === extension;

/** In its old place when it is known, else at the end. */
function put<T>(items: readonly T[], item: T, isSame: (known: T) => boolean, limit: number): T[] {
  return items.some(isSame)
    ? items.map((known) => (isSame(known) ? item : known))
    : [...items, item].slice(-limit);
}

const cut = (text: string): string => (text.length > lineLength ? `${text.slice(0, lineLength)}…` : text);
const cutLines = (lines: readonly string[], limit: number): string[] => lines.slice(0, limit).map(cut);

/** Only what we know, so that a worker cannot fill every snapshot with something else. */
function knownSettings(given: Settings): Settings {
  const known = Object.keys(Settings.shape);
  return Settings.parse(
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) =>
        known.includes(key) ? [[key, typeof value === "string" ? cut(value) : value]] : [],
      ),
    ),
  );
}
