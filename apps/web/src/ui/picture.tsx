// A picture in the flow: small enough to read around it, and as large as the column when it is clicked.
import { useState } from "react";
import { uiTexts } from "./texts.ts";

export function Picture({ alt, src }: { alt: string; src: string }) {
  const [large, setLarge] = useState(false);
  return (
    <button
      type="button"
      aria-pressed={large}
      title={large ? uiTexts.showSmaller : uiTexts.showLarger}
      onClick={() => setLarge(!large)}
      className={`block max-w-full rounded-md ${large ? "!cursor-zoom-out" : "!cursor-zoom-in"}`}
    >
      <img
        alt={alt}
        src={src}
        className={`max-w-full rounded-md border border-line ${large ? "" : "max-h-72"}`}
      />
    </button>
  );
}
