// What the features offer in the palette. Their items are components, which can use hooks and come and go; each puts
// itself in here, and the list is shown from here, ordered by how well it fits. An item leaves a hidden mark in the page,
// which tells its place among the others.
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef } from "react";
import { type Ranked, rank } from "./rank.ts";

export interface PaletteEntry extends Ranked {
  id: string;
  group: string;
  /** Shown whatever is typed, behind what fits: the server has found it. */
  always: boolean;
  render(): ReactNode;
  onSelect(): void;
}

/** A text in the place of items. */
interface Note {
  id: string;
  note: string;
}

type Registered = PaletteEntry | Note;

export class PaletteRegistry {
  readonly #all = new Map<HTMLElement, Registered>();
  readonly #listeners = new Set<() => void>();
  /** In the order of the page; null: it has changed. */
  #ordered: readonly Registered[] | null = [];

  put(mark: HTMLElement, entry: Registered): void {
    this.#all.set(mark, entry);
    this.#changed();
  }

  drop(mark: HTMLElement): void {
    this.#all.delete(mark);
    this.#changed();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly entries = (): readonly Registered[] => {
    this.#ordered ??= [...this.#all]
      .toSorted(([a], [b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
      .map(([, entry]) => entry);
    return this.#ordered;
  };

  #changed(): void {
    this.#ordered = null;
    for (const listener of this.#listeners) listener();
  }
}

export const RegistryContext = createContext<PaletteRegistry | null>(null);

/** For the mark of an item, which it has to render. */
export function useRegistered(entry: Registered) {
  const registry = useContext(RegistryContext);
  if (registry === null) throw new Error("an item of the palette is used outside of it");
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (mark.current !== null) registry.put(mark.current, entry);
  });
  useLayoutEffect(() => {
    const { current } = mark;
    return () => {
      if (current !== null) registry.drop(current);
    };
  }, [registry]);
  return mark;
}

export interface ShownGroup {
  title: string;
  entries: readonly PaletteEntry[];
}

/** The groups as they are shown: with the best fit first, once something is typed. */
export function shownGroups(registered: readonly Registered[], query: string): ShownGroup[] {
  const scored = registered
    .filter((entry) => "render" in entry)
    .map((entry) => ({ entry, score: rank(query, entry) || (entry.always ? Number.MIN_VALUE : 0) }))
    .filter(({ score }) => score > 0);
  const titles = [...new Set(scored.map(({ entry }) => entry.group))];
  return titles
    .map((title) => {
      const members = scored
        .filter(({ entry }) => entry.group === title)
        .toSorted((a, b) => b.score - a.score);
      return { title, best: members[0]?.score ?? 0, entries: members.map(({ entry }) => entry) };
    })
    .toSorted((a, b) => b.best - a.best);
}

export const notesOf = (registered: readonly Registered[]): string[] =>
  registered.flatMap((entry) => ("note" in entry ? [entry.note] : []));
