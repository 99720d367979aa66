// What this session has changed: the changed files, and the difference of one of them.
import type { SessionInfo } from "@patchbay/protocol";
import { FileText as FileIcon } from "lucide-react";
import { useMemo } from "react";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { type ChangeEntry, readDiff, type SessionChanges } from "../api.ts";
import { moveByArrows } from "../arrow-keys.ts";
import { FileHeading } from "../file-heading.tsx";
import { ListAndFile } from "../list-and-file.tsx";
import { filesTexts } from "../texts.ts";
import { filesInTree, treeOf } from "../tree.ts";
import { useRefetched } from "../use-refetched.ts";
import { ChangeTree, Lines } from "./change-tree.tsx";
import { useComments } from "./comments.ts";
import { DiffReview } from "./diff-review.tsx";

interface Props {
  session: SessionInfo;
  changes: Fetched<SessionChanges>;
  /** Changes when files are to be fetched again. */
  edition: number;
  /** The chosen file; empty: none. */
  path: string;
  onChoose(path: string): void;
  onShowFile(path: string): void;
}

export function ChangesView(props: Props) {
  const { session, changes, edition, path, onChoose, onShowFile } = props;
  const { data, error } = changes;
  const tree = useMemo(() => treeOf(data?.files ?? []), [data]);
  const { comments } = useComments(session.id);
  const files = filesInTree(tree);
  // A wide screen shows the first one at once; a phone shows the list until one is tapped.
  const picked = files.find((file) => file.path === path);
  const chosen = picked ?? files[0];
  if (data === null && error !== null)
    return (
      <p role="alert" className="max-w-[60ch] p-6 text-muted">
        {error}
      </p>
    );
  if (data === null)
    return (
      <div role="status" aria-label={filesTexts.loading} className="p-6">
        <Skeleton className="h-4 w-64" />
        <Skeleton className="mt-3 h-4 w-48" />
      </div>
    );
  if (chosen === undefined)
    return (
      <div className="p-6">
        <h2 className="font-medium">{filesTexts.noChanges}</h2>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">{filesTexts.noChangesDetail}</p>
      </div>
    );
  return (
    <>
      {error !== null && (
        <p role="alert" className="border-b border-line bg-needs-soft px-4 py-1.5 text-xs text-muted">
          {filesTexts.lastKnown(error)}
        </p>
      )}
      <ListAndFile
        label={filesTexts.changedFiles}
        picked={picked !== undefined}
        onKeyDown={moveByArrows}
        list={
          <>
            <ChangeTree
              nodes={tree}
              chosen={chosen.path}
              picked={picked !== undefined}
              commentsOn={(file) => comments.filter((comment) => comment.path === file).length}
              onChoose={(file) => onChoose(file.path)}
            />
            {data.more === true && <p className="px-3 py-2 text-sm text-faint">{filesTexts.moreChanges}</p>}
          </>
        }
      >
        <FileChange
          session={session.id}
          file={chosen}
          edition={edition}
          onBack={() => onChoose("")}
          onShowFile={() => onShowFile(chosen.path)}
        />
      </ListAndFile>
    </>
  );
}

interface FileProps {
  session: string;
  file: ChangeEntry;
  edition: number;
  onBack(): void;
  onShowFile(): void;
}

function FileChange({ session, file, edition, onBack, onShowFile }: FileProps) {
  const { data, error } = useRefetched(`${file.path}\n${file.from ?? ""}`, edition, async () => ({
    path: file.path,
    diff: await readDiff(session, file),
  }));
  return (
    <>
      <FileHeading path={file.path} onBack={onBack}>
        <Lines file={file} />
        {file.change !== "deleted" && (
          <IconButton label={filesTexts.openFile} onClick={onShowFile}>
            <FileIcon size={15} aria-hidden />
          </IconButton>
        )}
      </FileHeading>
      {error !== null && data === null && (
        <p role="alert" className="p-4 text-sm text-failed">
          {error}
        </p>
      )}
      {data !== null && data.path === file.path && data.diff === null && (
        <p className="p-4 text-sm text-muted">{filesTexts.tooLarge}</p>
      )}
      {data !== null && data.path === file.path && data.diff !== null && (
        <DiffReview key={file.path} session={session} file={file} diff={data.diff} />
      )}
    </>
  );
}
