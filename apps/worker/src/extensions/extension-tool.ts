// A tool that an extension registered: the call goes to the extension, which must answer within a time limit.
// Its result is bounded like that of every tool.
import type { ResultContent } from "@patchbay/protocol";
import type { ExtContent, ExtensionFrame } from "@patchbay/protocol/extension";
import { failed, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import type { Extension } from "./process/extension.ts";

/** As much as reading a long file gives; more would crowd out the conversation. */
const maxTextChars = 200_000;
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function extensionTool(
  extension: Extension,
  frame: Extract<ExtensionFrame, { type: "register_tool" }>,
): Tool {
  const { name, description = "", schema } = frame;
  return {
    name,
    description,
    parameters: { properties: {}, ...schema, type: "object" },
    run: (args, context) => callTool(extension, name, args, context),
  };
}

async function callTool(
  extension: Extension,
  name: string,
  args: unknown,
  { signal, progress }: ToolContext,
): Promise<ToolOutcome> {
  const timeoutMs = extension.timeout("tool_ms");
  const label = `${extension.name}/${name}`;
  let call = "";
  const outcome = await extension.ask(
    "tool_result",
    { timeoutMs, signal, progress: (text) => void progress(text) },
    (id) => {
      call = id;
      return { type: "tool_call", id, name, args };
    },
  );
  switch (outcome.kind) {
    case "answer": {
      const content = (outcome.frame.content ?? []).map(toResult);
      const shown: ResultContent[] =
        content.length === 0 ? [{ type: "text", text: "(extension returned no content)" }] : content;
      return { content: shown, isError: outcome.frame.is_error ?? false };
    }
    case "timeout":
      extension.send({ type: "tool_cancel", id: call });
      return failed(
        `extension ${label} failed: timeout waiting for ${label}: no answer within ${timeoutMs / 1_000} s`,
      );
    case "aborted":
      extension.send({ type: "tool_cancel", id: call });
      return failed("aborted");
    case "gone":
      return failed(`extension ${label} failed: ${outcome.why}`);
  }
}

function toResult(block: ExtContent): ResultContent {
  if (block.type === "text") {
    const { text } = block;
    const cut = `${text.slice(0, maxTextChars)}\n[cut: ${text.length} characters]`;
    return { type: "text", text: text.length <= maxTextChars ? text : cut };
  }
  const { mime_type, data } = block;
  if (!imageTypes.has(mime_type) || !base64.test(data)) {
    return { type: "text", text: `[an image that cannot be read: ${mime_type.slice(0, 40)}]` };
  }
  return { type: "image", mime_type, data, bytes: Buffer.byteLength(data, "base64") };
}
