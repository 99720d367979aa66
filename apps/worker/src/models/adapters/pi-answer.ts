// pi-ai's finished (or interrupted) message as our content blocks, and what it cost.
// Signatures are valid only for the model that gave them, so a signed block names its model.
import type { AssistantMessage, Usage as PiUsage } from "@earendil-works/pi-ai";
import { type ContentBlock, toNanoDollars } from "@patchbay/protocol";
import { isPriced, type Model } from "../catalog.ts";
import type { CallUsage } from "./adapter.ts";

export function toContentBlocks(message: AssistantMessage, model: Model): ContentBlock[] {
  const signed = (signature: string | undefined) =>
    signature ? { signature, model: `${model.provider}/${model.id}` } : {};
  return message.content.flatMap((block): ContentBlock[] => {
    if (block.type === "text") {
      return block.text === "" ? [] : [{ type: "text", text: block.text, ...signed(block.textSignature) }];
    }
    if (block.type === "thinking") {
      if (block.thinking === "" && !block.thinkingSignature) return [];
      const redacted = block.redacted ? { redacted: true } : {};
      return [{ type: "thinking", text: block.thinking, ...signed(block.thinkingSignature), ...redacted }];
    }
    // A server that gives no id still means the call; the id only has to be new.
    const id = block.id || `call_${Math.random().toString(36).slice(2)}`;
    return [
      { type: "tool_call", id, name: block.name, args: block.arguments, ...signed(block.thoughtSignature) },
    ];
  });
}

export function toCallUsage(usage: PiUsage, model: Model): CallUsage {
  const known = usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0;
  // A stream that was cut before the provider reported its usage has an unknown cost.
  const priced = known && isPriced(model);
  return {
    input: Math.max(0, usage.input),
    output: usage.output,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    ...(usage.cacheWrite1h === undefined || usage.cacheWrite1h <= 0
      ? {}
      : { cache_write_1h: usage.cacheWrite1h }),
    cost_usd: priced ? toNanoDollars(usage.cost.total) / 1e9 : 0,
    ...(priced ? { cost_source: "catalog" } : { unpriced: 1 }),
    ...(usage.reasoning === undefined || usage.reasoning <= 0 ? {} : { thinking: usage.reasoning }),
  };
}
