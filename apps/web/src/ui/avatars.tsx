// People as initials in circles. The colour is made from the name, so that it stays the same everywhere.

/** More would take the header's room; the rest is counted, and all names are in the title. */
const mostShown = 3;

export function Avatars({ names }: { names: readonly string[] }) {
  const label = names.join(", ");
  const more = names.length - mostShown;
  return (
    <span title={label} className="flex shrink-0 items-center">
      <span className="sr-only">{label}</span>
      {names.slice(0, mostShown).map((name) => (
        <span
          key={name}
          aria-hidden
          className="-ml-1 grid size-5 place-items-center rounded-full border border-canvas text-[9px] font-semibold first:ml-0"
          style={{ color: "#fff", background: colourOf(name) }}
        >
          {initialsOf(name)}
        </span>
      ))}
      {more > 0 && (
        <span aria-hidden className="ml-1 text-xs text-faint">
          +{more}
        </span>
      )}
    </span>
  );
}

/** "Ada Lovelace" → AL, "ada" → A. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .slice(0, 2)
    .toUpperCase();

/** Of the circle; white is readable on it. */
export const colourOf = (name: string): string => `hsl(${hueOf(name)} 45% 38%)`;

const hueOf = (name: string): number =>
  Array.from(name).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
