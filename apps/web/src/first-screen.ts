// Loads what the first screen shows before it is rendered: the list, and the transcript when the address names a session,
// so that the page is not built twice. It waits 150 ms at most.
import { base } from "./api/http/base.ts";
import { earlySocket, loginLink } from "./api/http/early-requests.ts";
import { openEarlyFeed } from "./connection/use-feed.ts";
import { preloadCosts } from "./costs/costs-entry.tsx";
import { preloadHome } from "./home/home-entry.tsx";
import { followLoginLink } from "./login/login-link.ts";
import { useSessionList } from "./session-list/session-list.ts";
import { preloadMarkdown } from "./transcript/messages/text.tsx";

/** Later than this the server or the line is slow, and the page shows that it is loading. */
const patience = 150;

export async function firstScreen(): Promise<void> {
  if (loginLink().invitation !== null) return; // shows what it is for, whoever is logged in
  const wasLink = await followLoginLink();
  const list = useSessionList.getState().refresh();
  const asked = wasLink ? [list, ...homePage()] : needed(list); // the response shows whether the browser is logged in now
  if (asked.length === 0) return;
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, patience))]);
}

/** Pages that ask for much themselves show the list when it comes. */
function needed(list: Promise<unknown>): Promise<unknown>[] {
  if (earlySocket() !== null) return [list, openEarlyFeed(), preloadMarkdown()];
  if (isHome()) return [list, ...homePage()];
  return location.pathname === `${base}/costs` ? [preloadCosts()] : [];
}

const isHome = (): boolean => location.pathname === `${base}/`;

const homePage = (): Promise<unknown>[] => (isHome() ? [preloadHome()] : []);
