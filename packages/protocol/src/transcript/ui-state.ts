// The UI state: what a worker and its extensions show around the transcript, and the settings of its controls. It is part of the
// transcript's fold (as `surface`, its name on the wire), so that a late viewer sees it. All but the settings ends with the worker.
import * as z from "zod/mini";
import { Settings } from "../events/ui-state-events.ts";

export const Status = z.object({ key: z.string(), text: z.string() });
export type Status = z.infer<typeof Status>;

export const Widget = z.object({
  key: z.string(),
  lines: z.array(z.string()),
  placement: z.enum(["above", "below"]),
});
export type Widget = z.infer<typeof Widget>;

export const PanelState = z.object({
  extension: z.string(),
  id: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  footer: z.string(),
});
export type PanelState = z.infer<typeof PanelState>;

/** A question that is open, for as long as it takes to say in the transcript how it was answered. */
export const OpenQuestion = z.object({
  id: z.string(),
  method: z.string(),
  title: z.string(),
  /** Of an approval: the call that it is about, and the answers that allow it. */
  call_id: z.optional(z.string()),
  allows: z.optional(z.array(z.string())),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

export const UiState = z.object({
  /** What an extension calls the session at the moment; its name stays its name. */
  title: z.nullable(z.string()),
  statuses: z.array(Status),
  widgets: z.array(Widget),
  /** The newest last. */
  panels: z.array(PanelState),
  asked: z.array(OpenQuestion),
  settings: z.nullable(Settings),
  /** Messages into the running turn that have not taken effect, the next one first. */
  steering: z.array(z.string()),
  /** Why the context is being compacted without anyone having asked; null when it is not. */
  compacting: z.nullable(z.string()),
});
export type UiState = z.infer<typeof UiState>;

export const emptyUiState: UiState = {
  title: null,
  statuses: [],
  widgets: [],
  panels: [],
  asked: [],
  settings: null,
  steering: [],
  compacting: null,
};
