// The two shapes of a response, with `type` first as in every frame we write.
import type { Response } from "@patchbay/protocol";

export const successResponse = (command: string, id: string | undefined, data?: unknown): Response => ({
  type: "response",
  command,
  success: true,
  ...(id ? { id } : {}),
  ...(data === undefined ? {} : { data }),
});

export const failureResponse = (command: string, id: string | undefined, error: string): Response => ({
  type: "response",
  command,
  success: false,
  ...(id ? { id } : {}),
  error,
});
