// What floats (menus, lists) is loaded when its button is first pressed, and fetched ahead when somebody comes near:
// all of it together is a fifth of what the page would otherwise load first. Until it is there the button stays what
// it is, so that it keeps the focus, and Esc takes the wish back.
import { type ComponentType, type KeyboardEvent, useState } from "react";

export interface Part<P> {
  /** Null until it is there. */
  now(): ComponentType<P> | null;
  load(): Promise<unknown>;
}

export function part<P>(load: () => Promise<{ default: ComponentType<P> }>): Part<P> {
  let loaded: ComponentType<P> | null = null;
  return {
    now: () => loaded,
    load: () =>
      load().then((module) => {
        loaded = module.default;
      }),
  };
}

export interface WantedProps {
  onClick(event: { detail: number }): void;
  onPointerEnter(): void;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  "aria-haspopup": "menu" | "dialog";
  "aria-expanded": false;
}

export function useWanted<P>(
  wish: Part<P>,
  popup: WantedProps["aria-haspopup"],
): { Shown: ComponentType<P> | null; byKeyboard: boolean; props: WantedProps } {
  const [wanted, setWanted] = useState<"no" | "by pointer" | "by keyboard">("no");
  const [, setLoaded] = useState(false);
  const fetch = (): void => {
    wish.load().then(
      () => setLoaded(true),
      () => setWanted("no"), // not to be had at the moment: the next press asks again
    );
  };
  const open = (how: typeof wanted): void => {
    setWanted(how);
    if (wish.now() === null) fetch();
  };
  const props: WantedProps = {
    // A click that no finger and no mouse made has no count.
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
  return { Shown: wanted === "no" ? null : wish.now(), byKeyboard: wanted === "by keyboard", props };
}
