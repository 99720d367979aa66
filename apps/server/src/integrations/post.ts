// Posts JSON to a program outside, and says in words what went wrong.

/** `problem` null: it was taken. `status` null: there was no answer. */
export interface PostResult {
  problem: string | null;
  status: number | null;
}

/** A receiver that needs longer should take it and think afterwards. */
const patienceMs = 10_000;

export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  ending: AbortSignal,
): Promise<PostResult> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { ...headers, "content-type": "application/json" },
      // Elsewhere nobody was promised anything.
      redirect: "manual",
      signal: AbortSignal.any([ending, AbortSignal.timeout(patienceMs)]),
    });
    await response.body?.cancel();
    return { problem: response.ok ? null : `status ${response.status}`, status: response.status };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { problem: cause instanceof Error ? cause.message : String(cause), status: null };
  }
}
