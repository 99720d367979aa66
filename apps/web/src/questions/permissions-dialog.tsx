// The standing permissions: what agents may do without asking, where, since when and by whom; each can be revoked.
import type { Permission } from "@patchbay/protocol";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { listPermissions, revokePermission } from "../api/permissions.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { useListed } from "../session-list/session-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { questionsTexts as texts } from "./texts.ts";

/** While the dialog is open. */
const lookEveryMs = 15_000;

export default function PermissionsDialog({ onClose }: { onClose(): void }) {
  const asked = useFetched("permissions", listPermissions, lookEveryMs);
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = (id: string): void => {
    setProblem(null);
    revokePermission(id)
      .catch((error: unknown) => setProblem(errorMessage(error)))
      .finally(asked.refetch);
  };
  const complaint = problem ?? asked.error;
  return (
    <Dialog
      open
      wide
      title={texts.permissions}
      description={texts.permissionsExplained}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      {complaint !== null && (
        <p role="alert" className="mb-2 text-sm text-failed">
          {complaint}
        </p>
      )}
      {asked.data === null && asked.error === null && <Skeleton className="h-14 w-full" />}
      {asked.data?.length === 0 && <p className="py-4 text-sm text-muted">{texts.noPermissions}</p>}
      {asked.data !== null && asked.data.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {asked.data.map((permission) => (
            <Row key={permission.id} permission={permission} onRevoke={() => revoke(permission.id)} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Row({ permission, onRevoke }: { permission: Permission; onRevoke(): void }) {
  const { session, directory, created_at, created_by } = permission;
  const name = useListed(session ?? "")?.name;
  const what = whatText(permission);
  const where = session === null ? texts.inDirectory(directory) : texts.inSession(name ?? directory);
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-3">
      <div className="min-w-0 flex-1">
        <p className="max-h-24 overflow-y-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {what}
        </p>
        <p className="mt-0.5 text-xs text-muted [overflow-wrap:anywhere]" title={formatExact(created_at)}>
          {where} · {texts.grantedBy(created_by.label, agoText(created_at))}
        </p>
      </div>
      <Button look="plain" label={texts.revokeThis(what)} onClick={onRevoke}>
        {texts.revoke}
      </Button>
    </li>
  );
}

function agoText(time: string): string {
  const minute = 60_000;
  return Date.now() - new Date(time).getTime() < minute ? texts.justNow : texts.ago(formatAgo(time));
}

function whatText({ what, tool, command = "", prefix = [] }: Permission): string {
  switch (what) {
    case "command":
      return texts.exactly(command);
    case "prefix":
      return texts.beginsWith(prefix.join(" "));
    case "tool":
      return texts.everyCall(tool);
    case "all":
      return texts.everyTool;
  }
}
