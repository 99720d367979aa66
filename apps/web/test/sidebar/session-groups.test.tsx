// @vitest-environment happy-dom
// The list with hundreds of sessions: few rows are on the page.
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { SessionGroups } from "../../src/sidebar/session-groups.tsx";
import { listedSession } from "../listed-session.ts";

it("[P204] [P207] shows five sessions of each directory until more are wanted, and fewer than fill two screens at first", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const sessions = Array.from({ length: 500 }, (_, number) =>
    listedSession(`s${number}`, {
      cwd: `/code/project-${number % 12}`,
      created_at: `2026-01-01T00:00:${number}Z`,
    }),
  );
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  vi.useFakeTimers();
  await act(async () => root.render(<SessionGroups sessions={sessions} />));
  const links = () => place.querySelectorAll("a").length;
  expect(links()).toBeGreaterThan(0);
  expect(links()).toBeLessThanOrEqual(30);
  await act(async () => vi.advanceTimersByTime(5_000));
  expect(links()).toBe(12 * 5);
  const more = [...place.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Show 37 more",
  );
  await act(async () => more?.click());
  expect(links()).toBe(11 * 5 + 42);
  const fold = place.querySelector<HTMLButtonElement>('button[aria-expanded="true"]');
  await act(async () => fold?.click());
  expect(place.querySelectorAll('button[aria-expanded="true"]')).toHaveLength(11);
  await act(async () => root.unmount());
  vi.useRealTimers();
});
