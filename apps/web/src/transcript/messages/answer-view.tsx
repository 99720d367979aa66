// One message of a model: text, thinking and tool calls, in their order.
import type { ContentBlock } from "@patchbay/protocol";
import { memo } from "react";
import { groupContent } from "../entries/content-groups.ts";
import { ToolCard } from "../tools/tool-card.tsx";
import { ToolGroup } from "../tools/tool-group.tsx";
import { Text } from "./text.tsx";
import { Thinking } from "./thinking.tsx";

interface Props {
  content: readonly ContentBlock[];
  live: boolean;
}

export const AnswerView = memo(function AnswerView({ content, live }: Props) {
  return (
    <article aria-label="Answer" className="min-w-0">
      {groupContent(content).map((group) =>
        group.kind === "calls" ? (
          <ToolGroup key={group.calls[0]?.id} calls={group.calls} />
        ) : (
          // Blocks are only ever appended
          <Block key={group.at} block={group.block} growing={live && group.at === content.length - 1} />
        ),
      )}
    </article>
  );
});

function Block({ block, growing }: { block: ContentBlock; growing: boolean }) {
  switch (block.type) {
    case "text":
      return (
        <div className="py-1.5">
          <Text text={block.text} live={growing} />
        </div>
      );
    case "thinking":
      return <Thinking text={block.text} duration={block.duration_ms} live={growing} />;
    case "tool_call":
      return <ToolCard id={block.id} name={block.name} args={block.args} />;
    default:
      return null;
  }
}
