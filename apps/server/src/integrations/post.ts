// Posts JSON to another system. A failure becomes a text for the server's log.

/** `problem` null: accepted. `status` null: no response. */
export interface PostResult {
  problem: string | null;
  status: number | null;
}

/** A receiver that needs longer should accept first and process later. */
const timeoutMs = 10_000;

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
      // The operator configured this address only, so redirects are not followed.
      redirect: "manual",
      signal: AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return { problem: response.ok ? null : `status ${response.status}`, status: response.status };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { problem: cause instanceof Error ? cause.message : String(cause), status: null };
  }
}
