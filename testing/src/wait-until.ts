// Waits for a condition without an event: a process that ends, a file that another program writes.
import { setTimeout as wait } from "node:timers/promises";

/**
 * Resolves when the condition holds. The test's own timeout is the limit. It is checked every few milliseconds: without a pause the
 * check would take a core from the processes that the test waits for.
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(5);
}
