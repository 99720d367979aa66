// Leads from the palette to the question of the open session, and to the standing permissions.
import { CircleHelp, ShieldCheck } from "lucide-react";
import { useFeedState } from "../connection/use-feed.ts";
import { filesCoverSession } from "../navigation/files-address.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { focusQuestion } from "./focus-question.ts";
import { questionsTexts as texts } from "./texts.ts";

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
      label={texts.answerQuestion}
      keywords={texts.answerKeywords.split(" ")}
      icon={<CircleHelp size={15} />}
      detail={question.title ?? question.message}
      onSelect={() => run(focusAfterwards)}
    />
  );
}

export function PermissionsItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="permissions"
      label={texts.permissions}
      keywords={texts.permissionsKeywords.split(" ")}
      icon={<ShieldCheck size={15} />}
      onSelect={() => run(() => showOverlay("permissions"))}
    />
  );
}
