// The page's frame: the list beside the session (or two of them), one screen at a time on a phone; the login before all.
import { lazy, Suspense, useRef } from "react";
import { Route, Router, Switch } from "wouter";
import { useAccess } from "./api/http/access.ts";
import { base } from "./api/http/base.ts";
import { Attention } from "./attention/attention.tsx";
import { useServiceWorker } from "./attention/service-worker.ts";
import { useKeepPageOnDrop } from "./composer/attachments/drop-zone.tsx";
import { CostsEntry } from "./costs/costs-entry.tsx";
import { CostsWaiting } from "./costs/costs-waiting.tsx";
import { usePhoneScreens } from "./device/phone-screens.ts";
import { usePhone } from "./device/use-phone.ts";
import { HomeEntry } from "./home/home-entry.tsx";
import { LoginPage } from "./login/login-page.tsx";
import { showOverlay } from "./navigation/overlay.ts";
import { OverlayHost } from "./overlay-host.tsx";
import { Panes } from "./session/panes.tsx";
import { useSessionPolling } from "./session-list/session-list.ts";
import { Sidebar } from "./sidebar/sidebar.tsx";

const FilesPage = lazy(() => import("./files/files-page.tsx"));
const SearchPage = lazy(() => import("./search/search-page.tsx"));
const SetupPage = lazy(() => import("./setup/setup-page.tsx"));
const BudgetsPage = lazy(() => import("./costs/budgets/budgets-page.tsx"));

export function PageRoot() {
  const access = useAccess((store) => store.access);
  if (access.state === "refused") return <LoginPage again={access.again} />;
  return (
    <Router base={base}>
      <Shell />
    </Router>
  );
}

function Shell() {
  useSessionPolling();
  const phone = usePhone();
  const frame = useRef<HTMLDivElement>(null);
  usePhoneScreens(frame);
  useServiceWorker();
  useKeepPageOnDrop();
  const create = (): void => showOverlay("new-session");
  return (
    <div ref={frame} className="flex h-full">
      {/* A phone shows one screen at a time; the list is on the home page. */}
      {!phone && (
        <Sidebar
          onNew={create}
          className="w-[calc(288px+env(safe-area-inset-left))] shrink-0 pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]"
        />
      )}
      <main className="min-w-0 flex-1 pr-[env(safe-area-inset-right)] phone:pl-[env(safe-area-inset-left)]">
        <Switch>
          <Route path="/sessions/:id">
            <Panes />
          </Route>
          <Route path="/sessions/:id/files">
            {({ id }) => (
              <Suspense>
                <FilesPage key={id} id={id} />
              </Suspense>
            )}
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
            <HomeEntry />
          </Route>
        </Switch>
      </main>
      <OverlayHost />
      <Attention />
    </div>
  );
}
