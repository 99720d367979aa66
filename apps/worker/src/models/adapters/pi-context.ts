// Our transcript as pi-ai wants it. Blocks that another model signed are marked as that model's, and
// the library then leaves the signature out: a provider refuses one that it did not give.
import type {
  Api,
  Model as CatalogModel,
  ImageContent,
  Message as PiMessage,
  TextContent,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { normalizeContext } from "@earendil-works/pi-ai/utils/transcript";
import type { ContentBlock, ImageBlock, Message, TextBlock } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { ModelCall } from "./adapter.ts";

type AssistantContent = Extract<PiMessage, { role: "assistant" }>["content"][number];

const Arguments = z.record(z.string(), z.json());
const Marks = z.object({
  signature: z.optional(z.string()),
  model: z.optional(z.string()),
  redacted: z.optional(z.boolean()),
});

export function toContext(call: ModelCall, model: CatalogModel<Api>): TranscriptContext {
  const names = new Map<string, string>();
  for (const message of call.messages)
    for (const block of message.content) if (block.type === "tool_call") names.set(block.id, block.name);
  return normalizeContext({
    systemPrompt: call.system,
    messages: call.messages.flatMap((message) => toPiMessages(message, call, model, names)),
    tools: call.tools.map((tool) => ({ ...tool, parameters: { ...tool.parameters } })),
  });
}

function toPiMessages(
  message: Message,
  call: ModelCall,
  model: CatalogModel<Api>,
  names: ReadonlyMap<string, string>,
): PiMessage[] {
  const timestamp = Date.parse(message.time) || 0;
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content.flatMap(textOrImage), timestamp }];
    case "assistant": {
      const [provider, id] = origin(message) ?? [call.model.provider, model.id];
      const content = message.content.flatMap(assistantBlock);
      const stopReason = content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
      const base = { role: "assistant", api: model.api, provider, model: id, usage: noPiUsage } as const;
      return [{ ...base, content, stopReason, timestamp }];
    }
    case "tool":
      return message.content.flatMap((block): PiMessage[] =>
        block.type !== "tool_result"
          ? []
          : [
              {
                role: "toolResult",
                toolCallId: block.call_id,
                toolName: names.get(block.call_id) ?? "",
                content: block.content.flatMap(textOrImage),
                isError: block.is_error,
                timestamp,
              },
            ],
      );
  }
}

/** The model that signed any of the message's blocks; without signatures it does not matter. */
function origin(message: Message): [string, string] | undefined {
  for (const block of message.content) {
    const { model } = Marks.safeParse(block).data ?? {};
    const slash = model?.indexOf("/") ?? -1;
    if (model !== undefined && slash > 0) return [model.slice(0, slash), model.slice(slash + 1)];
  }
  return undefined;
}

function assistantBlock(block: ContentBlock): AssistantContent[] {
  const { signature, redacted } = Marks.safeParse(block).data ?? {};
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text, ...(signature ? { textSignature: signature } : {}) }];
    case "thinking":
      return [
        {
          type: "thinking",
          thinking: block.text,
          ...(signature ? { thinkingSignature: signature } : {}),
          ...(redacted ? { redacted } : {}),
        },
      ];
    case "tool_call":
      return [
        {
          type: "toolCall",
          id: block.id,
          name: block.name,
          arguments: Arguments.safeParse(block.args).data ?? {},
          ...(signature ? { thoughtSignature: signature } : {}),
        },
      ];
    default:
      return [];
  }
}

const textOrImage = (block: ContentBlock | TextBlock | ImageBlock): (TextContent | ImageContent)[] => {
  if (block.type === "text") return [{ type: "text", text: block.text }];
  if (block.type !== "image") return [];
  // A restored transcript may know only that there was an image.
  if (block.data === undefined)
    return [{ type: "text", text: `[image: ${block.mime_type}, ${block.bytes} bytes]` }];
  return [{ type: "image", mimeType: block.mime_type, data: block.data }];
};

const noPiUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
