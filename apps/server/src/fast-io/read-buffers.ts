// A pool of buffers for the output of workers. Node allocates memory for every read; under load, the allocation costs
// as much as moving the bytes. A small read is copied out of its buffer. The buffer of a large read is shared with the
// log and the viewers, counted by holders, and returns to the pool when the last holder releases it.

/** As much as the kernel keeps for a worker that writes faster than we read. */
const bufferBytes = 256 * 1024;
/** Up to here a copy costs less than counting holders, and a kept copy does not keep a large buffer alive. */
const copiedBytes = 16 * 1024;
/** More free buffers than these are left to the garbage collector: they were needed for a burst. */
const maxFree = 16;

interface SharedBuffer {
  buffer: Buffer;
  holders: number;
}

export class ReadBuffers {
  readonly #free: Buffer[] = [];
  readonly #shared = new WeakMap<ArrayBufferLike, SharedBuffer>();

  /** A free buffer to read into. */
  take(): Buffer {
    // Not from Node's shared pool, so that a view's `buffer` identifies it.
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Passes what was read to `use`. The bytes are valid until it returns, or until the last borrower has released them. */
  deliver(buffer: Buffer, size: number, use: (bytes: Uint8Array) => void): void {
    if (size <= copiedBytes) {
      const copy = Buffer.allocUnsafe(size);
      buffer.copy(copy, 0, 0, size);
      this.#recycle(buffer);
      use(copy);
      return;
    }
    const shared = { buffer, holders: 1 };
    this.#shared.set(buffer.buffer, shared);
    try {
      use(Buffer.from(buffer.buffer, 0, size));
    } finally {
      this.#release(shared);
    }
  }

  /** Keeps the bytes unchanged until the returned function is called, once. Undefined: they are a copy and stay valid. */
  borrow(bytes: Uint8Array): (() => void) | undefined {
    const shared = this.#shared.get(bytes.buffer);
    if (shared === undefined) return undefined;
    shared.holders++;
    return () => this.#release(shared);
  }

  #release(shared: SharedBuffer): void {
    shared.holders--;
    if (shared.holders > 0) return;
    this.#shared.delete(shared.buffer.buffer);
    this.#recycle(shared.buffer);
  }

  #recycle(buffer: Buffer): void {
    if (this.#free.length < maxFree) this.#free.push(buffer);
  }
}

/** Shared by all workers: the buffer that was used last is still in the processor's cache. */
export const readBuffers = new ReadBuffers();
