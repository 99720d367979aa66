// The page's frame: the list beside the session (or two of them), or one of both on a phone; the login before all.
import { lazy, Suspense, useRef } from "react";
import { Route, Router, Switch, useRoute } from "wouter";
import { useAccess } from "./api/http/access.ts";
import { base } from "./api/http/base.ts";
import { Attention } from "./attention/attention.tsx";
import { useServiceWorker } from "./attention/service-worker.ts";
import { useKeepPageOnDrop } from "./composer/attachments/drop-zone.tsx";
import { CostsEntry } from "./costs/costs-entry.tsx";
import { CostsWaiting } from "./costs/costs-waiting.tsx";
import { useIsPhone } from "./device/is-phone.ts";
import { usePhoneScreens } from "./device/phone-screens.ts";
import { showOverlay } from "./navigation/overlay.ts";
import { Welcome } from "./new-session/welcome.tsx";
import { OverlayHost } from "./overlay-host.tsx";
import { Panes } from "./session/panes.tsx";
import { useSessionPolling } from "./session-list/session-list.ts";
import { useNewcomer } from "./session-list/use-newcomer.ts";
import { SkipLink } from "./shortcuts/skip-link.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";

const LoginPage = lazy(() => import("./login/login-page.tsx"));
const SearchPage = lazy(() => import("./search/search-page.tsx"));
const SetupPage = lazy(() => import("./setup/setup-page.tsx"));
const BudgetsPage = lazy(() => import("./costs/budgets/budgets-page.tsx"));

export function PageRoot() {
  const access = useAccess((store) => store.access);
  if (access.state === "refused")
    return (
      <Suspense>
        <LoginPage again={access.again} />
      </Suspense>
    );
  return (
    <Router base={base}>
      <Shell />
    </Router>
  );
}

function Shell() {
  const [inSession] = useRoute("/sessions/:id/*?");
  const [inSearch] = useRoute("/search");
  const [inCosts] = useRoute("/costs/*?");
  const [inSetup] = useRoute("/setup");
  useSessionPolling();
  const newcomer = useNewcomer();
  const frame = useRef<HTMLDivElement>(null);
  usePhoneScreens(frame);
  useServiceWorker();
  useKeepPageOnDrop();
  const create = (): void => showOverlay("new-session");
  // A phone shows one of the two; a newcomer's empty list would say nothing, so they get the welcome.
  const listOnPhone = !inSession && !inSearch && !inCosts && !inSetup && !newcomer;
  const listIsMain = useIsPhone() && listOnPhone;
  return (
    <div ref={frame} className="flex h-full">
      <SkipLink />
      <div className="contents" {...(listIsMain ? { role: "main" } : {})}>
        {listIsMain && <h1 className="sr-only">Patchbay</h1>}
        <Sidebar
          onNew={create}
          className={`w-[calc(288px+env(safe-area-inset-left))] shrink-0 pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] phone:w-full phone:pr-[env(safe-area-inset-right)] ${listOnPhone ? "" : "phone:hidden"}`}
        />
      </div>
      <main
        id="main"
        tabIndex={-1}
        data-region
        className={`min-w-0 flex-1 outline-none pr-[env(safe-area-inset-right)] phone:pl-[env(safe-area-inset-left)] ${listOnPhone ? "phone:hidden" : ""}`}
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
          <Route path="/costs/budgets">
            <Suspense fallback={<CostsWaiting />}>
              <BudgetsPage />
            </Suspense>
          </Route>
          <Route>
            <Welcome onNew={create} />
          </Route>
        </Switch>
      </main>
      <OverlayHost />
      <Attention />
    </div>
  );
}
