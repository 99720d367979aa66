// Logging in and out, and the devices that are logged in.
import { Login, LoginAnswer, type LoginRequest } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./http/call.ts";
import { keepPageSecret } from "./http/page-secret.ts";
import { apiTexts } from "./texts.ts";

/** Rejects with a sentence for a person. */
export async function logIn(body: LoginRequest): Promise<void> {
  const { secret } = await call("/api/login", LoginAnswer, { method: "POST", body });
  if (!keepPageSecret(secret)) throw new Error(apiTexts.noStorage);
}

/** The id of the login that asks; null with a token. */
export const readOwnLogin = async (): Promise<string | null> =>
  (await call("/api/login", z.object({ login: z.nullable(Login) }))).login?.id ?? null;

export const listLogins = async (): Promise<readonly Login[]> =>
  (await call("/api/logins", z.object({ logins: z.array(Login) }))).logins;

export const revokeLogin = (id: string): Promise<void> =>
  perform(`/api/logins/${encodeURIComponent(id)}`, { method: "DELETE" });

export const revokeOtherLogins = (): Promise<void> =>
  perform("/api/logins?others=true", { method: "DELETE" });

let checking: Promise<unknown> | null = null;

/** A WebSocket cannot say why it was refused; this call can, and the page asks for a login if that is why. */
export function checkAccess(): void {
  checking ??= call("/api/login", z.unknown())
    .catch(() => {}) // `call` has recorded a 401; a server that cannot be reached is handled by the socket
    .finally(() => {
      checking = null;
    });
}
