// A link as its visitor sees it: the same answer of the server in the same view, in a shadow root, so that no style of the app is in it.
import type { NewShare } from "@patchbay/protocol";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "../format/error-message.ts";
import { adoptSharedStyle, SharedView } from "../shared-page/shared-view.ts";
import { previewShare } from "./api.ts";
import { sharingTexts as texts } from "./texts.ts";

export function SharePreview({ session, terms }: { session: string; terms: NewShare }) {
  const host = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let over = false;
    previewShare(session, terms).then(
      (shared) => {
        if (over || host.current === null) return;
        const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
        adoptSharedStyle(root);
        new SharedView(root).show(shared);
      },
      (error: unknown) => {
        if (!over) setProblem(errorMessage(error));
      },
    );
    return () => {
      over = true;
    };
  }, [session, terms]);
  return (
    <section aria-label={texts.previewTitle}>
      {problem !== null && (
        <p role="alert" className="text-sm text-failed">
          {problem}
        </p>
      )}
      {/* Its content scrolls with the keyboard */}
      <div
        ref={host}
        tabIndex={0}
        className="max-h-[50vh] min-h-32 overflow-y-auto rounded-md border border-line [overflow-wrap:anywhere]"
      />
    </section>
  );
}
