// What a newcomer reads below the composer: what answers, which agents there are, and what to expect.
import { Link } from "wouter";
import type { Workers } from "../api/sessions.ts";
import { homeTexts } from "./texts.ts";

export function FirstSteps({ known }: { known: Workers | null }) {
  const facts = [
    [homeTexts.keptTitle, homeTexts.keptText],
    [homeTexts.shownTitle, homeTexts.shownText],
    [homeTexts.pricedTitle, homeTexts.pricedText],
  ] as const;
  const found = known?.workers.filter(({ available }) => available).length ?? 0;
  const missing = (known?.workers.length ?? 0) - found;
  return (
    <>
      {known !== null && (
        <p className="mt-4 text-sm text-muted">
          {homeTexts.agentsFound(found)} {missing > 0 && homeTexts.agentsMissing(missing)}{" "}
          <Link href="/setup" className={linkClass}>
            {homeTexts.seeAgents}
          </Link>
        </p>
      )}
      <dl className="mt-8 grid gap-5 border-t border-line pt-6">
        {facts.map(([title, text]) => (
          <div key={title} className="grid grid-cols-[220px_1fr] gap-x-6 phone:grid-cols-1 phone:gap-y-1">
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const linkClass = "text-ink underline decoration-edge underline-offset-3 hover:decoration-accent";

/** Shown as long as nothing but the demo can answer. */
export function DemoNote({ known }: { known: Workers | null }) {
  const worker = known?.workers.find(({ name }) => name === known.default_worker) ?? known?.workers[0];
  if (worker?.models === undefined || !worker.models.every(({ provider }) => provider === "demo"))
    return null;
  return (
    <p className="mt-3 max-w-[72ch] border-l-2 border-fill pl-3 text-sm text-muted">
      {homeTexts.demo}{" "}
      <Link href="/setup" className={linkClass}>
        {homeTexts.addKey}
      </Link>
    </p>
  );
}
