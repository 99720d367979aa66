// The memory that workers write into, used again and again. Node takes new memory for every read; when much is
// read, getting it costs as much as moving the bytes. A read that brought little is copied out of it; the bytes
// of a large one are lent to whoever still has to write or send them, and come back when all are done.

/** As much as the kernel keeps for a worker that writes faster than we read. */
const bufferBytes = 256 * 1024;
/** Up to here a copy costs less than the lending, and what is kept of it for long keeps no large buffer alive. */
const copiedBytes = 16 * 1024;
/** More than these are given back to Node: they were needed in a flood that is over. */
const maxFree = 16;

interface Loan {
  buffer: Buffer;
  holders: number;
}

export class ReadBuffers {
  readonly #free: Buffer[] = [];
  readonly #loans = new WeakMap<ArrayBufferLike, Loan>();

  /** To be read into; nobody else has it. */
  take(): Buffer {
    // Memory of its own, so that a view of it leads back to it.
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Hands over what was read: valid until `use` returns, and beyond that for whoever has borrowed it. */
  spend(buffer: Buffer, size: number, use: (bytes: Uint8Array) => void): void {
    if (size <= copiedBytes) {
      const copy = Buffer.allocUnsafe(size);
      buffer.copy(copy, 0, 0, size);
      this.#giveBack(buffer);
      use(copy);
      return;
    }
    const loan = { buffer, holders: 1 };
    this.#loans.set(buffer.buffer, loan);
    try {
      use(Buffer.from(buffer.buffer, 0, size));
    } finally {
      this.#return(loan);
    }
  }

  /** Keeps the bytes as they are until the returned function is called, once. Undefined: they are nobody's to take back. */
  borrow(bytes: Uint8Array): (() => void) | undefined {
    const loan = this.#loans.get(bytes.buffer);
    if (loan === undefined) return undefined;
    loan.holders++;
    return () => this.#return(loan);
  }

  #return(loan: Loan): void {
    loan.holders--;
    if (loan.holders > 0) return;
    this.#loans.delete(loan.buffer.buffer);
    this.#giveBack(loan.buffer);
  }

  #giveBack(buffer: Buffer): void {
    if (this.#free.length < maxFree) this.#free.push(buffer);
  }
}

/** One for all workers: the buffer that was used last is the one that is still in the processor's cache. */
export const readBuffers = new ReadBuffers();
