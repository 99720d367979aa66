// No bridge at all: the reader starts the workers itself and reads their pipes. The limit for all others.
import { worker } from "../native.ts";
import type { Bridge } from "./bridge.ts";

export function barePipe(): Bridge {
  return {
    name: "bare pipe",
    slow: false,
    links: async () => ({ args: [`--pipe=${worker}`], paths: [] }),
    async [Symbol.asyncDispose]() {},
  };
}
