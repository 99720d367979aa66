// Sizes of memory and files: 812 B, 64 MB, 1.3 GB. Powers of 1024, as process monitors count.
import { fixed } from "./number.ts";

const units = ["B", "KB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? fixed(value, 1) : String(Math.round(value));
  return `${digits} ${units[unit]}`;
}
