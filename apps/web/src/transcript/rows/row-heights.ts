// The measured heights of rows. Immutable; and cheap to change, because while an answer streams its row has another
// height with every frame, and a reader may have measured thousands of rows: a change copies the recent ones only.

/** More rows than are on the page at once. */
const mostRecent = 200;

export class RowHeights {
  static readonly none = new RowHeights(new Map(), new Map());
  readonly #recent: ReadonlyMap<string, number>;
  readonly #earlier: ReadonlyMap<string, number>;

  private constructor(recent: ReadonlyMap<string, number>, earlier: ReadonlyMap<string, number>) {
    this.#recent = recent;
    this.#earlier = earlier;
  }

  /** Undefined: the row was not on the page yet. */
  get(key: string): number | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key);
  }

  /** The same object when no row has another height. */
  with(measured: readonly (readonly [key: string, height: number])[]): RowHeights {
    const others = measured.filter(([key, height]) => this.get(key) !== height);
    if (others.length === 0) return this;
    const recent = new Map([...this.#recent, ...others]);
    if (recent.size <= mostRecent) return new RowHeights(recent, this.#earlier);
    return new RowHeights(new Map(), new Map([...this.#earlier, ...recent]));
  }
}
