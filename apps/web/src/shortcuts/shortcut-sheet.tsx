// The keys, in one place. Opened with "?".
import { Fragment } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { shortcutGroups } from "./shortcut-list.ts";
import { shortcutsTexts } from "./texts.ts";

export default function ShortcutSheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={shortcutsTexts.title}
      description={shortcutsTexts.outsideFields}
      wide
    >
      <div className="columns-2 gap-10 phone:columns-1">
        {shortcutGroups().map(({ title, keys }) => (
          <section key={title} aria-label={title} className="mb-6 break-inside-avoid">
            <h3 className="mb-1 text-xs text-faint">{title}</h3>
            <dl className="text-sm">
              {keys.map(({ keys: pressed, does }) => (
                <div
                  key={does}
                  className="flex min-h-8 items-center justify-between gap-4 border-t border-line first:border-t-0"
                >
                  <dt className="min-w-0 text-muted">{does}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {pressed.split("|").map((way, index) => (
                      <Fragment key={way}>
                        {index > 0 && <span className="text-xs text-faint">{shortcutsTexts.or}</span>}
                        {way.split(" ").map((key) => (
                          <Key key={key} text={key} />
                        ))}
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const Key = ({ text }: { text: string }) => (
  <kbd className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-edge bg-raised px-1 font-sans text-xs text-muted">
    {text}
  </kbd>
);
