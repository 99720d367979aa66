// The line between two panes, which moves: by the pointer, the arrow keys, and back by a double click. It sets a variable
// of its parent, so that nothing is rendered while it moves; the place is kept in the browser.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { boundedSplit, leastSplit, mostSplit, splitKey, splitPlace } from "./split-place.ts";
import { uiTexts } from "./texts.ts";

interface Props {
  /** Of both panes: the place is kept under this name, as is the variable `--<name>`. */
  name: string;
  label: string;
  /** Where it is until it is moved, as a part of the parent's width from the left. */
  at: number;
  /** The panes' parent. */
  parent: RefObject<HTMLElement | null>;
  className?: string;
}

/** By one press of an arrow key. */
const step = 0.02;

function keep(name: string, place: number): void {
  try {
    localStorage.setItem(splitKey(name), place.toFixed(4));
  } catch {
    // Then it is where it was after the next page load.
  }
}

export default function Splitter({ name, label, at, parent, className = "" }: Props) {
  const line = useRef<HTMLDivElement>(null);
  const [first] = useState(() => splitPlace(name, at));
  const place = useRef(first);
  const move = (to: number): void => {
    place.current = boundedSplit(to);
    parent.current?.style.setProperty(`--${name}`, String(place.current));
    line.current?.setAttribute("aria-valuenow", String(Math.round(place.current * 100)));
  };
  const settle = (to: number): void => {
    move(to);
    keep(name, place.current);
  };
  const onKey = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: place.current - step,
      ArrowRight: place.current + step,
      Home: leastSplit,
      End: mostSplit,
    }[event.key];
    if (event.key === "Enter") settle(at);
    else if (to !== undefined) settle(to);
    else return;
    event.preventDefault();
  };
  const onDrag = (event: PointerEvent): void => {
    const box = parent.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move((event.clientX - box.left) / box.width);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that moves is a widget
    <div
      ref={line}
      role="separator"
      aria-label={label}
      title={uiTexts.resize}
      aria-orientation="vertical"
      aria-valuemin={leastSplit * 100}
      aria-valuemax={mostSplit * 100}
      aria-valuenow={Math.round(first * 100)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onKeyDown={onKey}
      onDoubleClick={() => settle(at)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault(); // a drag must not select text
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onDrag}
      onLostPointerCapture={() => keep(name, place.current)}
      // The line is one pixel; what the pointer can take hold of is wider
      className={`relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line outline-none before:absolute before:inset-y-0 before:-inset-x-1 before:transition-colors hover:before:bg-accent/40 focus-visible:before:bg-accent ${className}`}
    />
  );
}
