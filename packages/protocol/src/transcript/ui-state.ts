// The surface: what a worker and its extensions show around the transcript, and how its controls stand. Part of
// the transcript's fold, so that a late viewer sees it; everything but the settings ends with the worker.
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

export const Panel = z.object({
  extension: z.string(),
  id: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  footer: z.string(),
});
export type Panel = z.infer<typeof Panel>;

/** A question that is open, for as long as it takes to say in the transcript how it was answered. */
export const Asked = z.object({ id: z.string(), method: z.string(), title: z.string() });
export type Asked = z.infer<typeof Asked>;

export const Surface = z.object({
  /** What an extension calls the session at the moment; its name stays its name. */
  title: z.nullable(z.string()),
  statuses: z.array(Status),
  widgets: z.array(Widget),
  /** The newest last. */
  panels: z.array(Panel),
  asked: z.array(Asked),
  settings: z.nullable(Settings),
  /** What was said into the running turn and has not taken effect, the next one first. */
  steering: z.array(z.string()),
  /** Why the context is being compacted without anyone having asked; null when it is not. */
  compacting: z.nullable(z.string()),
});
export type Surface = z.infer<typeof Surface>;

export const emptySurface: Surface = {
  title: null,
  statuses: [],
  widgets: [],
  panels: [],
  asked: [],
  settings: null,
  steering: [],
  compacting: null,
};
