// What the first screen shows, brought together before it is rendered: the list, and whoever comes by a session's
// address gets its transcript at once instead of a page that is built twice. Nobody waits long for it.
import { base } from "./api/http/base.ts";
import { earlySocket } from "./api/http/early-requests.ts";
import { openEarlyFeed } from "./connection/use-feed.ts";
import { preloadCosts } from "./costs/costs-entry.tsx";
import { followLoginLink } from "./login/login-link.ts";
import { useSessionList } from "./session-list/session-list.ts";
import { preloadMarkdown } from "./transcript/messages/text.tsx";

/** What has not come by then is a slow server's or a slow line's; the page shows that it waits. */
const patience = 150;

export async function firstScreen(): Promise<void> {
  const wasLink = await followLoginLink();
  const list = useSessionList.getState().refresh();
  const asked = wasLink ? [list] : needed(list); // the list says whether the browser is logged in now
  if (asked.length === 0) return;
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, patience))]);
}

/** Pages that ask for much themselves show the list when it comes. */
function needed(list: Promise<unknown>): Promise<unknown>[] {
  if (earlySocket() !== null) return [list, openEarlyFeed(), preloadMarkdown()];
  return location.pathname === `${base}/costs` ? [preloadCosts()] : [];
}
