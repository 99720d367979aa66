// One message of a model: text, thinking and tool calls, in their order.
import type { ContentBlock } from "@patchbay/protocol";
import { memo } from "react";
import { CopyButton } from "../../ui/feedback/copy-button.tsx";
import { groupContent } from "../entries/content-groups.ts";
import { transcriptTexts } from "../texts.ts";
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
    <article aria-label={transcriptTexts.answer} className="min-w-0">
      {groupContent(content).map((group) =>
        group.kind === "calls" ? (
          <ToolGroup key={group.calls[0]?.id} calls={group.calls} />
        ) : (
          // Blocks are only ever appended
          <Block
            key={group.at}
            block={group.block}
            growing={live && group.at === content.length - 1}
            last={group.at === content.length - 1}
          />
        ),
      )}
    </article>
  );
});

interface BlockProps {
  block: ContentBlock;
  growing: boolean;
  last: boolean;
}

function Block({ block, growing, last }: BlockProps) {
  switch (block.type) {
    case "text":
      return (
        <div className="group/answer relative py-1.5">
          <Text text={block.text} live={growing} />
          {!growing && block.text.trim() !== "" && <CopyAnswer text={block.text} last={last} />}
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

/** Beside the column where there is room, else over its corner. A finger has no pointer to hover with: it gets a line after the answer. */
const CopyAnswer = ({ text, last }: { text: string; last: boolean }) => (
  <div
    className={`absolute top-1 right-0 rounded-sm bg-canvas group-hover/answer:opacity-100 focus-within:opacity-100 pointer-fine:opacity-0 phone:!opacity-100 @min-[900px]:-right-8 phone:static phone:-mb-1 phone:-ml-3.5 ${last ? "phone:flex" : "phone:hidden"}`}
  >
    <CopyButton text={text.trim()} label={transcriptTexts.copyAnswer} />
  </div>
);
