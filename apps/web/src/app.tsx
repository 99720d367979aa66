// The page's frame: the list beside the session, or one of them on a phone; the login before both.
import { lazy, Suspense, useRef, useState } from "react";
import { Route, Router, Switch, useRoute } from "wouter";
import { useAccess } from "./api/access.ts";
import { base } from "./api/base.ts";
import { useSessionPolling } from "./api/session-list.ts";
import { CostsWaiting } from "./costs/costs-waiting.tsx";
import { usePhoneScreens } from "./device/phone-screens.ts";
import { useServiceWorker } from "./device/service-worker.ts";
import { Login } from "./sessions/login.tsx";
import { SessionPage } from "./sessions/session-page.tsx";
import { Sidebar } from "./sessions/sidebar.tsx";
import { useNewcomer } from "./sessions/use-newcomer.ts";
import { Welcome } from "./sessions/welcome.tsx";

const FilesPage = lazy(() => import("./files/files-page.tsx"));
const SetupPage = lazy(() => import("./setup/setup-page.tsx"));
const NewSession = lazy(async () => ({ default: (await import("./sessions/new-session.tsx")).NewSession }));
const loadCosts = () => import("./costs/costs-page.tsx");
const CostsPage = lazy(loadCosts);
const BudgetsPage = lazy(() => import("./costs/budgets/budgets-page.tsx"));
// Whoever comes by an address of the costs gets them without waiting for the rest first.
if (location.pathname === `${base}/costs`) void loadCosts();

export function App() {
  const access = useAccess((store) => store.access);
  useSessionPolling();
  if (access.state === "refused") return <Login message={access.message} />;
  return (
    <Router base={base}>
      <Shell />
    </Router>
  );
}

function Shell() {
  const [creating, setCreating] = useState(false);
  const [inSession] = useRoute("/sessions/:id/*?");
  const newcomer = useNewcomer();
  const frame = useRef<HTMLDivElement>(null);
  usePhoneScreens(frame);
  useServiceWorker();
  const create = (): void => setCreating(true);
  // A phone shows one of the two; a newcomer's empty list would say nothing, so they get the welcome.
  const [inCosts] = useRoute("/costs/*?");
  const [inSetup] = useRoute("/setup");
  const listOnPhone = !inSession && !inCosts && !inSetup && !newcomer;
  return (
    <div ref={frame} className="flex h-full">
      <Sidebar
        onNew={create}
        className={`w-[288px] shrink-0 phone:w-full ${listOnPhone ? "" : "phone:hidden"}`}
      />
      <main className={`min-w-0 flex-1 ${listOnPhone ? "phone:hidden" : ""}`}>
        <Switch>
          <Route path="/sessions/:id">{({ id }) => <SessionPage id={id} />}</Route>
          <Route path="/sessions/:id/files">
            {({ id }) => (
              <Suspense>
                <FilesPage key={id} id={id} />
              </Suspense>
            )}
          </Route>
          <Route path="/setup">
            <Suspense>
              <SetupPage />
            </Suspense>
          </Route>
          <Route path="/costs">
            <Suspense fallback={<CostsWaiting />}>
              <CostsPage />
            </Suspense>
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
      <Suspense>{creating && <NewSession open onClose={() => setCreating(false)} />}</Suspense>
    </div>
  );
}
