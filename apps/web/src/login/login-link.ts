// A page that was opened by a login link logs in before it shows anything. The code was taken out of the address by
// public/early.js; it is spent by a call, because previews and prefetches open links too.

import { ApiError } from "../api/http/call.ts";
import { loginLink } from "../api/http/early-requests.ts";
import { logIn } from "../api/logins.ts";
import { errorMessage } from "../format/error-message.ts";
import { showProblem } from "../ui/feedback/problem.ts";
import { loginTexts } from "./texts.ts";

/** Why the link that opened this page did not log in. */
let problem: string | null = null;

export const loginLinkProblem = (): string | null =>
  problem ?? (loginLink().oldLink ? loginTexts.oldLink : null);

/** Whatever comes of it, the page goes on: a browser may be logged in already. False: it was no login link. */
export async function followLoginLink(): Promise<boolean> {
  const { code } = loginLink();
  if (code === null) return false;
  await logIn({ code }).catch((error: unknown) => {
    problem = loginProblem({ code }, error);
    if (error instanceof ApiError && error.status === 403) showProblem(problem); // the page goes on with the login that it has
  });
  return true;
}

/** Why a login failed, for a person. */
export function loginProblem(given: { code: string } | { token: string }, error: unknown): string {
  if (!(error instanceof ApiError) || error.status !== 401) return errorMessage(error);
  return "code" in given ? loginTexts.wrongLink : loginTexts.wrongToken;
}

/** What a person pastes: a login link, a link of an earlier version, or the token itself. */
export function readPasted(text: string): { code: string } | { token: string } | null {
  const given = text.trim();
  if (given === "") return null;
  const code = /#code=([\w-]+)/.exec(given)?.[1];
  return code === undefined ? { token: /[?&]token=([^&#\s]+)/.exec(given)?.[1] ?? given } : { code };
}
