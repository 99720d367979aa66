// Standing permissions: listed and revoked. Answers to approvals create them.
import { Permission } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./http/call.ts";

export const listPermissions = async (): Promise<readonly Permission[]> =>
  (await call("/api/permissions", z.object({ permissions: z.array(Permission) }))).permissions;

export const revokePermission = (id: string): Promise<void> =>
  perform(`/api/permissions/${encodeURIComponent(id)}`, { method: "DELETE" });
