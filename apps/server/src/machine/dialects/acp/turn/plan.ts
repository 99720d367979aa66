// Converts an agent's plan to two frames: `plan` with all its data for programs, and a widget above the composer for people.
import * as z from "zod/mini";
import type { OutputFrame } from "../../frame-writer.ts";

const Plan = z.looseObject({
  entries: z.array(
    z.looseObject({ content: z.string(), status: z.string(), priority: z.catch(z.string(), "medium") }),
  ),
});

const signs: Readonly<Record<string, string | undefined>> = { completed: "✓", in_progress: "▸" };

export function planFrames(update: unknown): OutputFrame[] {
  const { data } = Plan.safeParse(update);
  if (data === undefined) return [];
  const entries = data.entries.map(({ content, status, priority }) => ({ content, status, priority }));
  const lines = entries.map(({ content, status }) => `${signs[status] ?? "·"} ${content}`);
  return [
    { type: "plan", entries },
    {
      type: "extension_ui_request",
      id: "plan",
      method: "setWidget",
      widgetKey: "plan",
      widgetLines: lines.length === 0 ? null : lines,
      widgetPlacement: "aboveEditor",
    },
  ];
}
