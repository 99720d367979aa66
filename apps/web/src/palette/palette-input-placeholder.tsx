// Takes the place of the palette while it is being loaded: what a person types after Ctrl K must not go into the prompt,
// and is in the palette when it opens.
import { useLayoutEffect, useRef } from "react";
import { setPaletteQuery, usePaletteQuery } from "../navigation/overlay.ts";
import { paletteTexts } from "./texts.ts";

export function PaletteInputPlaceholder() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <input
      ref={field}
      aria-label={paletteTexts.title}
      className="sr-only"
      value={usePaletteQuery()}
      onChange={(event) => setPaletteQuery(event.target.value)}
    />
  );
}
