// Encodes a short message as one WebSocket frame, header and text in one buffer. `ws` writes them as two, which Node gives
// to the kernel as a list: that took nearly a tenth of the round trip of a query to its worker.
import { usesFastIo } from "./fast-io.ts";

const finalText = 0x81;
/** From this length on, the length is in the two bytes that follow. */
const shortBytes = 126;

/** Larger messages are not copied into one buffer. Less than 64 KB, so two bytes hold the length. */
export const maxFrameBytes = 16 * 1024;

/** Unmasked, as a server sends it (RFC 6455, 5.2); undefined: too long, or turned off. */
export function textFrame(message: string | Uint8Array): Buffer | undefined {
  const bytes = typeof message === "string" ? Buffer.byteLength(message) : message.length;
  if (bytes > maxFrameBytes || !usesFastIo("text-frame")) return undefined;
  const header = bytes < shortBytes ? 2 : 4;
  const frame = Buffer.allocUnsafe(header + bytes);
  frame[0] = finalText;
  if (header === 2) frame[1] = bytes;
  else {
    frame[1] = shortBytes;
    frame.writeUInt16BE(bytes, 2);
  }
  if (typeof message === "string") frame.write(message, header);
  else frame.set(message, header);
  return frame;
}
