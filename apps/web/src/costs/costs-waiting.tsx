// The placeholder of the costs page while it is loaded: with the same heights, so that nothing jumps.
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { costDataTexts } from "./data/texts.ts";
import { costsTexts } from "./texts.ts";

export const CostsWaiting = () => (
  <div role="status" aria-label={costsTexts.loading} className="flex h-full flex-col">
    <div className="flex h-12 shrink-0 items-center border-b border-line pl-6 font-semibold tracking-[-0.01em] phone:h-[108px] phone:items-start phone:pt-4 phone:pl-14">
      {costsTexts.costs}
    </div>
    <div className="mx-auto w-full max-w-[1240px] px-6 pt-5 phone:px-3 phone:pt-3">
      <div className="mb-4 grid grid-cols-4 gap-px overflow-hidden rounded-md border border-line bg-line phone:grid-cols-2">
        {[
          costDataTexts.today,
          costDataTexts.thisMonth,
          costDataTexts.burnRate,
          costDataTexts.monthForecast,
        ].map((label) => (
          <div key={label} className="h-[121px] bg-panel px-4 py-3 text-xs text-muted phone:px-3">
            {label}
            <Skeleton className="mt-3 h-6 w-28" />
          </div>
        ))}
      </div>
      <div className="h-[380px] rounded-md border border-line bg-panel" />
    </div>
  </div>
);
