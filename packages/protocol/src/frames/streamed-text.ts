// The viewer's side of merged deltas (`deltas=merged`): the message that ends an answer refers to text that was streamed, and the viewer
// puts it back. The server's side is `frame-merger.ts` in its session/viewers.
import * as z from "zod/mini";
import type { ContentBlock } from "../events/message.ts";

/** Stands for `text` in a content block: a part of all text (or thinking) of the message, whose length `of` the viewer checks. */
export const StreamedText = z.object({ start: z.number(), end: z.number(), of: z.number() });
export type StreamedText = z.infer<typeof StreamedText>;

const Referring = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), streamed: z.optional(StreamedText) })),
});

/** The frame with its texts, out of the content that was streamed; undefined: the viewer does not have them. */
export function restoreStreamed(line: string, content: readonly ContentBlock[]): unknown {
  const read = Referring.safeParse(JSON.parse(line));
  if (!read.success) return undefined;
  let missing = false;
  const restored = read.data.content.map(({ streamed: reference, ...block }) => {
    if (reference === undefined) return block;
    const all = content.map((part) => (part.type === block.type && "text" in part ? part.text : "")).join("");
    if (all.length !== reference.of) missing = true;
    return { ...block, text: all.slice(reference.start, reference.end) };
  });
  return missing ? undefined : { ...read.data, content: restored };
}
