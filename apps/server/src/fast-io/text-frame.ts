// A short message as one frame of a WebSocket, header and text in one piece of memory. `ws` writes them as two, which
// Node gathers and gives to the kernel as a list: of a question's way to its worker and back, that was nearly a tenth.
import { usesFastIo } from "./fast-io.ts";

const finalText = 0x81;
/** From here on, the length is in the two bytes after it. */
const shortBytes = 126;

/** More is not copied only to be in one piece. Less than 64 KB, so two bytes tell its length. */
export const maxFrameBytes = 16 * 1024;

/** From a server, so unmasked (RFC 6455, 5.2); undefined: too long, or turned off. */
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
