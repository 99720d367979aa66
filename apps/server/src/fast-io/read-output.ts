// Reads the output of a worker: into reused memory (read-buffers.ts), and less often under load (read-pace.ts). For the
// first, the pipe that Node made for the child is given to a socket with `onread`, which reads into given memory; Node
// offers that for sockets only.
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { usesFastIo } from "./fast-io.ts";
import { readBuffers } from "./read-buffers.ts";
import { isReadHandle, ReadPace } from "./read-pace.ts";

export interface Output {
  /** Stops reading after the bytes that are being passed on; the rest stays in the pipe. */
  pause(): void;
  resume(): void;
  /** Drops all further output. */
  ignore(): void;
}

/** The bytes are valid until `take` returns, unless they are borrowed. */
export function readOutput(stdout: Readable, take: (bytes: Uint8Array) => void): Output {
  const handle: unknown = Reflect.get(stdout, "_handle");
  // A version of Node without this handle uses the documented interface.
  if (!usesFastIo("read-buffers") || !isReadHandle(handle)) return readDocumented(stdout, take);
  let receive = take;
  Reflect.set(stdout, "_handle", null);
  const socket = socketOn(handle, (size, buffer) => {
    pace?.read(size);
    readBuffers.deliver(buffer, size, receive);
  });
  const pace = paceOf(socket);
  socket.on("error", () => {}); // `close` follows, and the worker's exit has the reason
  // The child's `close` event waits for the stream that Node made.
  socket.once("close", () => stdout.destroy());
  socket.resume();
  return {
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ignore: () => {
      receive = () => {};
    },
  };
}

const paceOf = (stream: Readable): ReadPace | undefined =>
  usesFastIo("read-pace") ? new ReadPace(stream) : undefined;

function socketOn(handle: object, read: (size: number, buffer: Buffer) => void): Socket {
  const options = {
    handle, // not in Node's documentation, but how Node itself makes the streams of a child
    readable: true,
    writable: false,
    onread: {
      buffer: () => readBuffers.take(),
      callback: (size: number, buffer: Buffer) => {
        read(size, buffer);
        return true;
      },
    },
  };
  return new Socket(options);
}

function readDocumented(stdout: Readable, take: (bytes: Uint8Array) => void): Output {
  const pace = paceOf(stdout);
  stdout.on("data", (bytes: Uint8Array) => {
    pace?.read(bytes.length);
    take(bytes);
  });
  return {
    pause: () => stdout.pause(),
    resume: () => stdout.resume(),
    ignore: () => stdout.removeAllListeners("data").resume(),
  };
}
