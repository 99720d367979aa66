// What a terminal's colours and decorations are on the page. The eight named colours are the theme's own, readable
// on white and on black alike; others are taken as they are and drawn towards the ink until they can be read.
import type { AnserJsonEntry } from "anser";
import type { CSSProperties } from "react";

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

type Part = Pick<AnserJsonEntry, "fg" | "bg" | "fg_truecolor" | "bg_truecolor" | "decorations">;

export function ansiStyle(part: Part): CSSProperties | undefined {
  const has = (name: Part["decorations"][number]): boolean => part.decorations.includes(name);
  const text = colourOf(part.fg, part.fg_truecolor);
  const behind = colourOf(part.bg, part.bg_truecolor);
  const style: CSSProperties = {
    ...(text === undefined ? {} : { color: `color-mix(in oklab, ${text} 82%, var(--ink))` }),
    ...(behind === undefined ? {} : { background: `color-mix(in oklab, ${behind} 28%, transparent)` }),
    // On a coloured ground, black would be as dark as the page.
    ...(behind !== undefined && part.fg === "ansi-black" ? { color: "var(--ink)" } : {}),
    ...(has("bold") ? { fontWeight: 650 } : {}),
    ...(has("dim") ? { color: "var(--faint)" } : {}),
    ...(has("italic") ? { fontStyle: "italic" } : {}),
    ...(has("underline") ? { textDecoration: "underline" } : {}),
    ...(has("strikethrough") ? { textDecoration: "line-through" } : {}),
  };
  return Object.keys(style).length === 0 ? undefined : style;
}

function colourOf(name: string | null, truecolor: string | null): string | undefined {
  if (name === "ansi-truecolor") return /^[\d, ]+$/.test(truecolor ?? "") ? `rgb(${truecolor})` : undefined;
  const palette = /^ansi-palette-(\d+)$/.exec(name ?? "")?.[1];
  if (palette !== undefined) return paletteColour(Number(palette));
  const plain = name?.replace(/^ansi-/, "").replace(/^bright-/, "");
  return plain !== undefined && names.includes(plain) ? `var(--ansi-${plain})` : undefined;
}

/** xterm's 256: sixteen named ones, a cube of six steps each way, and greys. */
function paletteColour(index: number): string {
  if (index < 16) return `var(--ansi-${names[index % 8]})`;
  if (index >= 232) return grey(8 + (index - 232) * 10);
  const step = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const at = index - 16;
  return `rgb(${step(Math.floor(at / 36))} ${step(Math.floor(at / 6) % 6)} ${step(at % 6)})`;
}

const grey = (value: number): string => `rgb(${value} ${value} ${value})`;
