// The lines of a stream, split on LF only. Node's readline also splits on U+2028 (from Node 24 on), which is legal inside a
// JSON string.
import { StringDecoder } from "node:string_decoder";

/** Calls `take` with each whole line, without its LF. What comes after the last LF is a line, too. */
export function onLines(stream, take) {
  const decoder = new StringDecoder("utf8");
  let pieces = [];
  stream.on("data", (chunk) => {
    const [first, ...others] = decoder.write(chunk).split("\n");
    pieces.push(first);
    for (const piece of others) {
      take(pieces.join(""));
      pieces = [piece];
    }
  });
  stream.on("end", () => {
    const rest = pieces.join("") + decoder.end();
    if (rest !== "") take(rest);
  });
}
