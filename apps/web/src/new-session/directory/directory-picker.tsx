// The directory that a session works in: a button that shows it with its branch, and a list to choose another one from.
import { Folder } from "lucide-react";
import { shortDirectory } from "../../format/path.ts";
import { type LazyPopup, lazyPopup, useLazyPopup } from "../../ui/lazy-popup.ts";
import { PathText } from "../../ui/path-text.tsx";
import { BranchBadge } from "./branch-badge.tsx";
import type { DirectoryPopupProps } from "./directory-popup.tsx";
import { directoryTexts } from "./texts.ts";
import { useDirectory } from "./use-directory.ts";

const directoryPopup: LazyPopup<DirectoryPopupProps> = lazyPopup(() => import("./directory-popup.tsx"));

interface Props extends Pick<DirectoryPopupProps, "recent" | "onChoose" | "look"> {
  /** Empty: none is chosen yet. */
  cwd: string;
  id?: string | undefined;
  "aria-describedby"?: string;
  invalid?: boolean;
}

export function DirectoryPicker({ cwd, id, recent, onChoose, look, invalid = false, ...described }: Props) {
  const { Shown, props } = useLazyPopup(directoryPopup, "dialog");
  const button = {
    id,
    "aria-label":
      cwd === "" ? directoryTexts.chooseDirectory : `${directoryTexts.directory}: ${shortDirectory(cwd)}`,
    "aria-invalid": invalid,
    "data-directory": cwd,
    title: cwd === "" ? undefined : cwd,
    className: `${looks[look]} ${invalid ? "border-failed" : ""}`,
    children: <Chosen cwd={cwd} />,
    ...described,
  };
  if (Shown !== null)
    return <Shown button={button} cwd={cwd} recent={recent} onChoose={onChoose} look={look} />;
  return <button type="button" {...button} {...props} />;
}

const looks = {
  field:
    "flex h-9 w-full min-w-0 items-center gap-2 rounded-md border border-edge bg-canvas px-3 text-left text-sm phone:h-11",
  inline:
    "flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11",
} as const;

function Chosen({ cwd }: { cwd: string }) {
  return (
    <>
      <Folder size={14} aria-hidden className={`shrink-0 ${cwd === "" ? "text-accent" : "text-faint"}`} />
      {cwd === "" ? (
        <span className="text-accent">{directoryTexts.chooseDirectory}</span>
      ) : (
        <span className="min-w-0 font-mono text-xs text-ink">
          <PathText path={shortDirectory(cwd)} />
        </span>
      )}
      {cwd !== "" && <KnownBranch cwd={cwd} />}
    </>
  );
}

function KnownBranch({ cwd }: { cwd: string }) {
  const known = useDirectory(cwd);
  if (known.state !== "ready") return null;
  if (known.list.found === null)
    return <span className="shrink-0 text-xs text-failed">{directoryTexts.notFound}</span>;
  return <BranchBadge branch={known.list.found.branch} />;
}
