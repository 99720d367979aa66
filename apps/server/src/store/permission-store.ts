// Where standing permissions are kept.
import type { Permission } from "@patchbay/protocol";

export interface PermissionStore {
  save(permission: Permission): Promise<void>;
  remove(id: string): Promise<void>;
  /** Oldest first. Those of a session are deleted with it. */
  list(): Promise<Permission[]>;
}
