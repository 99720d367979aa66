// A link that logs somebody in: to copy, and as a QR code. It is shown once.
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { QrCode } from "./qr-code.tsx";
import { peopleTexts as text } from "./texts.ts";

interface Props {
  link: string;
  /** What the QR code is for, for screen readers. */
  label: string;
  title: string;
  note: string;
}

export const SecretLink = ({ link, label, title, note }: Props) => (
  <div className="flex items-start gap-4 rounded-md border border-line bg-sunken p-3 phone:flex-col phone:items-center">
    <QrCode text={link} label={label} />
    <div className="min-w-0 flex-1 self-stretch">
      <p className="text-sm font-medium">{title}</p>
      <p className="mt-1 text-sm text-muted">{note}</p>
      <SecretText secret={link} label={text.copyLink} />
      {isOnlyHere(link) && <p className="mt-2 text-xs text-muted">{text.onlyThisMachine}</p>}
    </div>
  </div>
);

/** A link, or a token: one line, with a button that copies it. */
export const SecretText = ({ secret, label }: { secret: string; label: string }) => (
  <div className="mt-3 flex items-center gap-2 rounded-md border border-line bg-canvas py-1 pr-1 pl-3 phone:py-0 phone:pr-0">
    <code className="min-w-0 flex-1 truncate font-mono text-xs">{secret}</code>
    <CopyButton text={secret} label={label} />
  </div>
);

/** The address in the link is that of the page, which on the server's own machine nobody else can open. */
const isOnlyHere = (link: string): boolean =>
  /^(localhost|127\.|\[::1\])/.test(URL.canParse(link) ? new URL(link).hostname : "");
