// What the first screen shows, brought together before it is rendered: the list, and whoever comes by a session's
// address gets its transcript at once instead of a page that is built twice. Nobody waits long for it.
import { useSessionList } from "./api/session-list.ts";
import { earlySocket } from "./connection/early.ts";
import { openEarlyFeed } from "./connection/use-feed.ts";
import { preloadMarkdown } from "./transcript/text.tsx";

/** What has not come by then is a slow server's or a slow line's; the page shows that it waits. */
const patience = 150;

export async function firstScreen(): Promise<void> {
  const asked = [useSessionList.getState().refresh()];
  if (earlySocket() !== null)
    asked.push(
      openEarlyFeed(),
      preloadMarkdown().then(() => {}),
    );
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, patience))]);
}
