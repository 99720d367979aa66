// The page without a session, where work starts: a composer, and the sessions that are worth a look. On a phone it is the first
// screen, with the whole list below.

import { useIsPhone } from "../device/is-phone.ts";
import { useWorkers } from "../new-session/use-workers.ts";
import { useNewcomer } from "../session-list/use-newcomer.ts";
import { PhoneList } from "../sidebar/phone-list.tsx";
import { DemoNote, FirstSteps } from "./first-steps.tsx";
import { HomeComposer } from "./home-composer.tsx";
import { HomeOverview } from "./overview.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { homeTexts } from "./texts.ts";

export default function HomePage() {
  const newcomer = useNewcomer();
  const phone = useIsPhone();
  const state = useWorkers();
  const known = state.state === "ready" ? state.workers : null;
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      {phone && <PhoneBar />}
      <div className="mx-auto w-full max-w-[820px] shrink-0 px-8 pt-[max(2.5rem,calc(var(--seen)*0.09))] pb-12 phone:px-3 phone:pt-4 phone:pb-4">
        <h1 className="mb-3 px-1 text-2xl font-semibold tracking-[-0.02em] phone:text-xl">{homeTexts.ask}</h1>
        {newcomer && <p className="mb-4 max-w-[64ch] px-1 text-prose text-muted">{homeTexts.intro}</p>}
        <HomeComposer known={known} />
        {state.state === "failed" && (
          <p role="alert" className="mt-3 text-sm text-failed">
            {state.message}
          </p>
        )}
        <DemoNote known={known} />
        {newcomer ? <FirstSteps known={known} /> : <HomeOverview />}
      </div>
      {phone && <PhoneList />}
    </div>
  );
}
