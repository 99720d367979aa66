// Leads from the palette to the question of the open session.
import { CircleHelp } from "lucide-react";
import { useFeedState } from "../connection/use-feed.ts";
import { filesCoverSession } from "../navigation/files-address.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { focusQuestion } from "./focus-question.ts";

export function AnswerItem() {
  const { run } = usePalette();
  const session = useFeedState((state) => state.session);
  const question = session?.pending[0];
  if (session === null || question === undefined || filesCoverSession()) return null;
  // Once the palette is gone: until then it keeps the focus.
  const focusAfterwards = (): void => void setTimeout(() => focusQuestion(session.id));
  return (
    <PaletteItem
      id="answer"
      label="Answer the question"
      keywords={["approve", "reply", "needs you"]}
      icon={<CircleHelp size={15} />}
      detail={question.title ?? question.message}
      onSelect={() => run(focusAfterwards)}
    />
  );
}
