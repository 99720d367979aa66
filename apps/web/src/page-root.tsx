// The page's frame: the list beside the session (or two of them), one screen at a time on a phone; the login before all.
import { Suspense, useRef } from "react";
import { Route, Router, Switch } from "wouter";
import { useAccess } from "./api/http/access.ts";
import { base } from "./api/http/base.ts";
import { loginLink } from "./api/http/early-requests.ts";
import { useServiceWorker } from "./attention/service-worker.ts";
import { useKeepPageOnDrop } from "./composer/attachments/drop-zone.tsx";
import { CostsEntry } from "./costs/costs-entry.tsx";
import { CostsWaiting } from "./costs/costs-waiting.tsx";
import { useIsPhone } from "./device/is-phone.ts";
import { usePhoneScreens } from "./device/phone-screens.ts";
import { HomeEntry } from "./home/home-entry.tsx";
import { showOverlay } from "./navigation/overlay.ts";
import { OverlayHost } from "./overlay-host.tsx";
import { Panes } from "./session/panes.tsx";
import { useSessionPolling } from "./session-list/session-list.ts";
import { SkipLink } from "./shortcuts/skip-link.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { lazyPart } from "./ui/lazy-part.ts";

const Attention = lazyPart(async () => ({ default: (await import("./attention/attention.tsx")).Attention }));
const LoginPage = lazyPart(() => import("./login/login-page.tsx"));
const SearchPage = lazyPart(() => import("./search/search-page.tsx"));
const SetupPage = lazyPart(() => import("./setup/setup-page.tsx"));
const CostsParts = lazyPart(() => import("./costs/costs-parts.tsx"));

export function PageRoot() {
  const access = useAccess((store) => store.access);
  if (access.state === "refused" || loginLink().invitation !== null)
    return (
      <Suspense>
        <LoginPage again={access.state === "refused" && access.again} />
      </Suspense>
    );
  return (
    <Router base={base}>
      <Shell />
    </Router>
  );
}

function Shell() {
  useSessionPolling();
  const phone = useIsPhone();
  const frame = useRef<HTMLDivElement>(null);
  usePhoneScreens(frame);
  useServiceWorker();
  useKeepPageOnDrop();
  const create = (): void => showOverlay("new-session");
  return (
    <div ref={frame} className="flex h-full">
      <SkipLink />
      {/* A phone shows one screen at a time; the list is on the home page. */}
      {!phone && (
        <Sidebar
          onNew={create}
          className="w-[calc(288px+env(safe-area-inset-left))] shrink-0 pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]"
        />
      )}
      <main
        id="main"
        tabIndex={-1}
        data-region
        className="min-w-0 flex-1 pr-[env(safe-area-inset-right)] outline-none phone:pl-[env(safe-area-inset-left)]"
      >
        <Switch>
          {/* One route for both: the session stays when its files are opened beside it */}
          <Route path={/^\/sessions\/(?<id>[^/]+)(?:\/files)?\/?$/}>
            <Panes />
          </Route>
          <Route path="/search">
            <Suspense>
              <SearchPage />
            </Suspense>
          </Route>
          <Route path="/setup">
            <Suspense>
              <SetupPage />
            </Suspense>
          </Route>
          <Route path="/costs">
            <CostsEntry />
          </Route>
          <Route path="/costs/:part">
            {({ part }) => (
              <Suspense fallback={<CostsWaiting />}>
                <CostsParts part={part} />
              </Suspense>
            )}
          </Route>
          <Route>
            <HomeEntry />
          </Route>
        </Switch>
      </main>
      <OverlayHost />
      <Suspense>
        <Attention />
      </Suspense>
    </div>
  );
}
