// A part that cannot be loaded, because the server is away, is shown when it can be; the rest of the page stays.
// @vitest-environment happy-dom
import { act, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { lazyPart } from "../../src/ui/lazy-part.ts";

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

it("[P291] a part that cannot be loaded takes nothing with it, and comes when the server is back", async () => {
  vi.useFakeTimers();
  let away = true;
  const Part = lazyPart(async () => {
    if (away) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: ({ name }: { name: string }) => <b>{name}</b> };
  });
  const place = document.createElement("div");
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <>
        page <Suspense fallback="…">{<Part name="part" />}</Suspense>
      </>,
    ),
  );
  expect(place.textContent).toBe("page …");
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(place.textContent).toBe("page …");
  away = false;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(place.textContent).toBe("page part");
  vi.useRealTimers();
});
