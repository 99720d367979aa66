// Stands in for the palette while it is being loaded: whoever types on after Ctrl K must not write into the prompt,
// and finds what they typed when the palette is there.
import { useLayoutEffect, useRef } from "react";
import { setPaletteQuery, usePaletteQuery } from "../navigation/overlay.ts";

export function EarlyKeys() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <input
      ref={field}
      aria-label="Search and do anything"
      className="sr-only"
      value={usePaletteQuery()}
      onChange={(event) => setPaletteQuery(event.target.value)}
    />
  );
}
