// A dialog in the middle of the screen, a sheet from below on a phone. Radix keeps the focus inside.
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import { uiTexts } from "./texts.ts";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: string;
  /** For two columns. */
  wide?: boolean;
  /** What is in it moves the focus when it is there; until then the dialog itself has it, and not its Close button. */
  focusesItself?: boolean;
  children: ReactNode;
}

export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, wide = false, focusesItself = false, children } = props;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-[appear_120ms_ease-out] bg-[rgb(6_8_10/0.55)]" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onOpenAutoFocus={(event) => {
            if (!focusesItself || !(event.target instanceof HTMLElement)) return;
            event.preventDefault();
            event.target.focus();
          }}
          className={`fixed top-[calc(var(--seen)*0.14)] left-1/2 z-50 max-h-[calc(var(--seen)*0.8)] ${wide ? "w-[min(720px,calc(100vw-32px))]" : "w-[min(520px,calc(100vw-32px))]"} -translate-x-1/2 animate-appear overflow-y-auto rounded-lg bg-panel shadow-float outline-none phone:top-auto phone:bottom-[var(--covered)] phone:max-h-[calc(var(--seen)*0.92)] phone:w-full phone:rounded-b-none phone:pb-[env(safe-area-inset-bottom)]`}
        >
          <div className="flex items-start justify-between gap-4 py-0 pt-4 pr-3 pl-5 phone:pt-2">
            <div className="pt-1 phone:pt-2.5">
              <Radix.Title className="text-[0.9375rem] font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label={uiTexts.close}>
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="px-5 pt-3 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
