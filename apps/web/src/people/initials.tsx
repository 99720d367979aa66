// A person as a circle with their initials. The name stands beside it, so it is decoration.
import { colourOf, initialsOf } from "../ui/avatars.tsx";

export const Initials = ({ name, faded = false }: { name: string; faded?: boolean }) => (
  <span
    aria-hidden
    style={{ color: "#fff", background: colourOf(name) }}
    className={`inline-flex size-7 shrink-0 items-center justify-center rounded-full text-2xs font-semibold ${faded ? "opacity-40 grayscale" : ""}`}
  >
    {initialsOf(name)}
  </span>
);
