// The keys of model providers (docs/api.md, `/api/keys`), and the prices of models.
import { KeysInfo, KeyTest, type TestKey, type UpdateKey } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Changed = z.object({ keys: KeysInfo, sessions_with_old_keys: z.number() });
export type KeysChanged = z.infer<typeof Changed>;

const at = (provider: string): string => `/api/keys/${encodeURIComponent(provider)}`;

export const readKeys = async (): Promise<KeysInfo> =>
  (await call("/api/keys", z.object({ keys: KeysInfo }))).keys;

export const saveKey = (provider: string, body: UpdateKey): Promise<KeysChanged> =>
  call(at(provider), Changed, { method: "PATCH", body });

export const removeKey = (provider: string): Promise<KeysChanged> =>
  call(at(provider), Changed, { method: "DELETE" });

export const testProvider = async (provider: string, body: TestKey): Promise<KeyTest> =>
  (await call(`${at(provider)}/test`, z.object({ test: KeyTest }), { method: "POST", body })).test;
