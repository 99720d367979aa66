// A session before its first prompt: where it is, and a few prompts that work in any directory.
import type { SessionInfo } from "@patchbay/protocol";
import { ArrowRight } from "lucide-react";
import { useFeed } from "../connection/use-feed.ts";
import { shortDirectory } from "../format/path.ts";
import { sendPrompt } from "../session-actions/send-prompt.ts";
import { bannersTexts } from "./banners/texts.ts";

const suggestions = (demo: boolean): string[] =>
  demo
    ? [bannersTexts.demoListFiles, bannersTexts.runVersion, bannersTexts.writeFile]
    : [bannersTexts.listFiles, bannersTexts.readReadme, bannersTexts.explainLog];

export function EmptyTranscript({ session }: { session: SessionInfo }) {
  const feed = useFeed();
  const demo = session.provider === "demo";
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-[820px] flex-col justify-end px-8 pt-8 pb-6 phone:px-4">
        {session.state === "failed" && (
          <section
            role="alert"
            className="mb-6 rounded-md border border-failed/35 bg-failed-soft px-3 py-2.5"
          >
            <h2 className="font-medium text-failed">{bannersTexts.agentNotStarted}</h2>
            <p className="mt-1 text-sm whitespace-pre-wrap text-muted">{session.reason}</p>
          </section>
        )}
        <h2 className="text-xl font-semibold tracking-[-0.015em]">{bannersTexts.whatToDo}</h2>
        <p className="mt-1.5 max-w-[64ch] text-muted">
          {bannersTexts.worksIn}{" "}
          <code className="font-mono text-sm text-ink">{shortDirectory(session.cwd)}</code>.{" "}
          {bannersTexts.whatItDoes}
          {demo && ` ${bannersTexts.demo}`}
        </p>
        <ul className="mt-5 divide-y divide-line border-y border-line">
          {suggestions(demo).map((text) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => sendPrompt(feed, text)}
                className="group flex min-h-10 w-full items-center justify-between gap-4 px-1 text-left text-muted hover:bg-hover hover:text-ink phone:min-h-12"
              >
                {text}
                <ArrowRight size={14} aria-hidden className="shrink-0 text-faint group-hover:text-accent" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
