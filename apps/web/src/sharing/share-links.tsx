// The share links of a session: what a new one shows and hides, its preview, and the list of those there are.
import {
  type Hideable,
  hideable,
  messageText,
  type NewShare,
  type SessionInfo,
  type ShareInfo,
} from "@patchbay/protocol";
import { useId, useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { createShare, listShares, revokeShare } from "./api.ts";
import { SharePreview } from "./share-preview.tsx";
import { sharingTexts as texts } from "./texts.ts";

const dayChoices = [1, 7, 30, 90];
const never = "never";
const whole = "whole";
/** The newest; a longer list is hard to use. */
const maxPrompts = 100;
const promptChars = 60;
/** While the dialog is open: views are counted. */
const lookEveryMs = 10_000;

/** What one rather would not show by mistake. */
const startTerms: NewShare = { mode: "live", hidden: ["paths", "costs", "thinking"], expires_days: 7 };

export default function ShareLinks({ session, onClose }: { session: SessionInfo; onClose(): void }) {
  const [terms, setTerms] = useState(startTerms);
  const [isPreview, setPreview] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const known = useFetched(`shares ${session.id}`, () => listShares(session.id), lookEveryMs);
  const act = (what: Promise<unknown>): void => {
    setProblem(null);
    setBusy(true);
    what
      .catch((error: unknown) => setProblem(errorMessage(error)))
      .finally(() => {
        setBusy(false);
        known.refetch();
      });
  };
  const complaint = problem ?? known.error;
  return (
    <Dialog
      open
      wide
      title={isPreview ? texts.previewTitle : texts.title}
      {...(isPreview ? {} : { description: texts.about })}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      {complaint !== null && (
        <p role="alert" className="mb-2 text-sm text-failed">
          {complaint}
        </p>
      )}
      {isPreview ? (
        <SharePreview session={session.id} terms={terms} />
      ) : (
        <Terms terms={terms} onChange={setTerms} />
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button look="plain" onClick={() => setPreview(!isPreview)}>
          {isPreview ? texts.back : texts.preview}
        </Button>
        <Button
          look="primary"
          disabled={isBusy}
          onClick={() => act(createShare(session.id, terms).then(setLink))}
        >
          {texts.create}
        </Button>
      </div>
      {link !== null && <NewLink link={link} />}
      {!isPreview && (
        <section className="mt-5">
          <h3 className="mb-1.5 text-sm font-medium">{texts.links}</h3>
          {known.data === null && known.error === null && <Skeleton className="h-14 w-full" />}
          {known.data?.length === 0 && <p className="text-sm text-muted">{texts.noLinks}</p>}
          {known.data !== null && known.data.length > 0 && (
            <ul className="divide-y divide-line rounded-md border border-line">
              {known.data.map((share) => (
                <Row
                  key={share.id}
                  share={share}
                  onRevoke={() => {
                    if (link?.includes(`/${share.id}#`) === true) setLink(null);
                    act(revokeShare(session.id, share.id));
                  }}
                />
              ))}
            </ul>
          )}
        </section>
      )}
    </Dialog>
  );
}

function Terms({ terms, onChange }: { terms: NewShare; onChange(terms: NewShare): void }) {
  const group = useId();
  const toggle = (part: Hideable): void =>
    onChange({
      ...terms,
      hidden: terms.hidden.includes(part)
        ? terms.hidden.filter((each) => each !== part)
        : [...terms.hidden, part],
    });
  return (
    <>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 phone:grid-cols-1">
        <Field label={texts.what}>
          {(control) => (
            <Select
              {...control}
              value={terms.mode}
              onChange={({ target }) => {
                const { messages: _messages, ...rest } = terms;
                onChange({ ...rest, mode: target.value === "frozen" ? "frozen" : "live" });
              }}
            >
              <option value="live">{texts.live}</option>
              <option value="frozen">{texts.frozen}</option>
            </Select>
          )}
        </Field>
        <Field label={texts.ends}>
          {(control) => (
            <Select
              {...control}
              value={terms.expires_days ?? never}
              onChange={({ target }) =>
                onChange({ ...terms, expires_days: target.value === never ? null : Number(target.value) })
              }
            >
              {dayChoices.map((days) => (
                <option key={days} value={days}>
                  {texts.days(days)}
                </option>
              ))}
              <option value={never}>{texts.never}</option>
            </Select>
          )}
        </Field>
      </div>
      {terms.mode === "frozen" && <CopyEnd terms={terms} onChange={onChange} />}
      <fieldset aria-describedby={group} className="mt-2">
        <legend className="mb-1 text-sm font-medium">{texts.hide}</legend>
        {hideable.map((part) => (
          <label
            key={part}
            className="flex min-h-8 items-baseline gap-2.5 py-1 text-sm phone:min-h-11 phone:items-center"
          >
            <input
              type="checkbox"
              checked={terms.hidden.includes(part)}
              onChange={() => toggle(part)}
              className="translate-y-0.5 accent-[var(--fill)] phone:translate-y-0"
            />
            <span>
              {texts[part]} <span className="block text-xs text-faint">{texts[`${part}Note`]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p id={group} className="mt-1 text-xs text-muted">
        {texts.stays}
      </p>
    </>
  );
}

/** Where a copy ends: where the session is now, or before one of its prompts. */
function CopyEnd({ terms, onChange }: { terms: NewShare; onChange(terms: NewShare): void }) {
  const messages = useFeedState((feed) => feed.transcript.messages);
  const prompts = messages
    .flatMap((message, index) =>
      index > 0 && message.role === "user" && message.bash === undefined && message.steering !== true
        ? [{ index, text: messageText(message).replaceAll(/\s+/g, " ").slice(0, promptChars) }]
        : [],
    )
    .slice(-maxPrompts)
    .toReversed();
  if (prompts.length === 0) return null;
  return (
    <div className="mt-2">
      <Field label={texts.upTo}>
        {(control) => (
          <Select
            {...control}
            value={terms.messages ?? whole}
            onChange={({ target }) => {
              const { messages: _messages, ...rest } = terms;
              onChange(target.value === whole ? rest : { ...rest, messages: Number(target.value) });
            }}
          >
            <option value={whole}>{texts.now}</option>
            {prompts.map(({ index, text }) => (
              <option key={index} value={index}>
                {texts.before(text)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

function NewLink({ link }: { link: string }) {
  const id = useId();
  return (
    <div className="mt-4 rounded-md border border-line bg-sunken p-3" role="status">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {texts.newLink}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          readOnly
          value={link}
          onFocus={({ target }) => target.select()}
          className={`${controlClass} font-mono text-xs`}
        />
        <CopyButton text={link} label={texts.copyLink} />
      </div>
      <p className="mt-1.5 text-xs text-muted">{texts.copyNow}</p>
    </div>
  );
}

const endText = (time: string): string =>
  Date.parse(time) <= Date.now() ? texts.expired : texts.until(formatExact(time));

function madeText(time: string): string {
  const minute = 60_000;
  return Date.now() - Date.parse(time) < minute ? texts.madeNow : texts.made(formatAgo(time));
}

function Row({ share, onRevoke }: { share: ShareInfo; onRevoke(): void }) {
  const { mode, hidden, created_at, expires_at, views } = share;
  const made = madeText(created_at);
  const facts = [
    texts.views(views),
    ...(expires_at === null ? [] : [endText(expires_at)]),
    ...(hidden.length === 0 ? [] : [texts.hides(hidden.map((part) => texts[part]).join(", "))]),
  ];
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3">
      <div className="min-w-0 flex-1">
        <p className="text-sm" title={formatExact(created_at)}>
          {mode === "live" ? texts.isLive : texts.isFrozen} · {made}
        </p>
        <p className="mt-0.5 text-xs text-muted [overflow-wrap:anywhere]">{facts.join(" · ")}</p>
      </div>
      <Button look="plain" label={texts.revokeThis(made)} onClick={onRevoke}>
        {texts.revoke}
      </Button>
    </li>
  );
}
