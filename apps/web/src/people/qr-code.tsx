// A QR code. Always dark on white, with its quiet zone: cameras do not read the other way around.
import { encode } from "uqr";

const quiet = 3;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`}
      shapeRendering="crispEdges"
      style={{ background: "#fff" }}
      className="size-44 shrink-0 rounded-md border border-line"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
