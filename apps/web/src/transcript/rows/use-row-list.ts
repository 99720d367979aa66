// The rows of a long list that are to be rendered now, and the refs of what they lie in.
import { type RefObject, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { RowList } from "./row-list.ts";
import type { RowsView } from "./rows-reducer.ts";
import type { ListRow } from "./span.ts";

interface Rows {
  list: RowList;
  view: RowsView;
  scroller: RefObject<HTMLDivElement | null>;
  above: RefObject<HTMLDivElement | null>;
  below: RefObject<HTMLDivElement | null>;
}

export function useRowList(rows: readonly ListRow[]): Rows {
  const scroller = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [list] = useState(() => new RowList(rows, (now) => (now ? flushSync(render) : render())));
  useLayoutEffect(() => {
    if (scroller.current === null || above.current === null || below.current === null) return;
    return list.attach({ scroller: scroller.current, above: above.current, below: below.current });
  }, [list]);
  const view = list.viewOf(rows);
  useLayoutEffect(() => {
    list.settle(rows, view);
  });
  return { list, view, scroller, above, below };
}
