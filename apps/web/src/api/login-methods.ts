// What the login page asks for before anybody is logged in.
import { InvitedPerson, LoginMethods } from "@patchbay/protocol";
import { base } from "./http/base.ts";
import { call } from "./http/call.ts";

/** Later, the login page shows what every server has. */
const methodsMs = 5_000;

/** Not by `call`: an answer to somebody who is not logged in does not mean that they are. */
export async function readLoginMethods(): Promise<LoginMethods> {
  const response = await fetch(`${base}/api/login/methods`, { signal: AbortSignal.timeout(methodsMs) });
  return LoginMethods.parse(await response.json());
}

/** Whom an invitation is for. */
export const readInvitation = (invitation: string): Promise<InvitedPerson> =>
  call("/api/login/invitation", InvitedPerson, { method: "POST", body: { invitation } });
