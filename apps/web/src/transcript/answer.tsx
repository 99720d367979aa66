// What a model said in one message: words, thoughts and tool calls, in their order.
import type { ContentBlock } from "@patchbay/protocol";
import { memo } from "react";
import { Text } from "./text.tsx";
import { Thinking } from "./thinking.tsx";
import { ToolCard } from "./tools/tool-card.tsx";

export const Answer = memo(function Answer({
  content,
  live,
}: {
  content: readonly ContentBlock[];
  live: boolean;
}) {
  return (
    <article aria-label="Answer" className="flex min-w-0 flex-col">
      {content.map((block, index) => {
        const growing = live && index === content.length - 1;
        if (block.type === "text") {
          return (
            // Blocks are only ever appended
            <div key={index} className="my-1.5">
              <Text text={block.text} live={growing} />
            </div>
          );
        }
        if (block.type === "thinking") {
          // Blocks are only ever appended
          return <Thinking key={index} text={block.text} duration={block.duration_ms} live={growing} />;
        }
        if (block.type === "tool_call") {
          return <ToolCard key={block.id} id={block.id} name={block.name} args={block.args} />;
        }
        return null;
      })}
    </article>
  );
});
