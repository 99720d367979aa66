// Popups (menus, lists) are loaded when their button is first pressed, and prefetched when the pointer or the focus
// reaches it: together they are a fifth of what the page would load first without this. Until a popup is loaded the
// button stays as it is, so that it keeps the focus, and Esc cancels the opening.
import { type ComponentType, type KeyboardEvent, useState } from "react";

export interface LazyPopup<P> {
  /** Null until it is loaded. */
  now(): ComponentType<P> | null;
  load(): Promise<unknown>;
}

export function lazyPopup<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyPopup<P> {
  let loaded: ComponentType<P> | null = null;
  return {
    now: () => loaded,
    load: () =>
      load().then((module) => {
        loaded = module.default;
      }),
  };
}

export interface TriggerProps {
  onClick(event: { detail: number }): void;
  onPointerEnter(): void;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  "aria-haspopup": "menu" | "dialog";
  "aria-expanded": false;
}

export function useLazyPopup<P>(
  lazy: LazyPopup<P>,
  popup: TriggerProps["aria-haspopup"],
): { Shown: ComponentType<P> | null; byKeyboard: boolean; props: TriggerProps } {
  const [wanted, setWanted] = useState<"no" | "by pointer" | "by keyboard">("no");
  const [, setLoaded] = useState(false);
  const fetch = (): void => {
    lazy.load().then(
      () => setLoaded(true),
      () => setWanted("no"), // loading failed: the next press tries again
    );
  };
  const open = (how: typeof wanted): void => {
    setWanted(how);
    if (lazy.now() === null) fetch();
  };
  const props: TriggerProps = {
    // A click by the keyboard has no count.
    onClick: ({ detail }) => open(detail === 0 ? "by keyboard" : "by pointer"),
    onPointerEnter: fetch,
    onFocus: fetch,
    onKeyDown: (event) => {
      if (event.key === "Escape") setWanted("no");
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      open("by keyboard");
    },
    "aria-haspopup": popup,
    "aria-expanded": false,
  };
  return { Shown: wanted === "no" ? null : lazy.now(), byKeyboard: wanted === "by keyboard", props };
}
