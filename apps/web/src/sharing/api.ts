// Share links of a session: listed, made, previewed and revoked.
import { type NewShare, SharedSession, ShareInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { base } from "../api/http/base.ts";
import { call, perform } from "../api/http/call.ts";

const pathOf = (session: string): string => `/api/sessions/${encodeURIComponent(session)}/shares`;

export const listShares = async (session: string): Promise<readonly ShareInfo[]> =>
  (await call(pathOf(session), z.object({ shares: z.array(ShareInfo) }))).shares;

/** The whole address, which the server tells once. */
export async function createShare(session: string, body: NewShare): Promise<string> {
  const made = z.object({ share: ShareInfo, secret: z.string() });
  const { share, secret } = await call(pathOf(session), made, { method: "POST", body });
  return `${location.origin}${base}/shared/${share.id}#${secret}`;
}

export const previewShare = (session: string, body: NewShare): Promise<SharedSession> =>
  call(`${pathOf(session)}/preview`, SharedSession, { method: "POST", body });

export const revokeShare = (session: string, share: string): Promise<void> =>
  perform(`${pathOf(session)}/${encodeURIComponent(share)}`, { method: "DELETE" });
