// The frame that every bridge carries, as in native/frame.h: a text delta of a fixed size with a
// running number in it.
const digits = 10;
const digitsAt = 30;
const zero = 48;
const nine = 57;

export const minFrame = 56;
export const deltasPerUsage = 1000;
export const deltaHead = '{"type":"text_delta","delta":"';

/** Frame number 0, `size` bytes with its LF. */
export function firstFrame(size) {
  const frame = Buffer.alloc(size, "x");
  frame.write(`${deltaHead}${"0".repeat(digits)} `, 0, "latin1");
  frame.write('"}\n', size - 3, "latin1");
  return frame;
}

/** Counts the number at `frame[offset…]` up by one. */
export function nextFrame(frame, offset = 0) {
  let at = offset + digitsAt + digits - 1;
  while (frame[at] === nine) frame[at--] = zero;
  frame[at]++;
}
