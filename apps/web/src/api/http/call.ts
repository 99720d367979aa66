// One HTTP call to our own server: the response is validated, and a failure has a sentence for a person.
// A 401 sets `useAccess` for the whole page, because then no other call will work either.
import { ErrorBody } from "@patchbay/protocol";
import type * as z from "zod/mini";
import { apiTexts } from "../texts.ts";
import { useAccess } from "./access.ts";
import { base } from "./base.ts";
import { takeEarlyResponse } from "./early-requests.ts";
import { pageSecret, secretHeaders } from "./page-secret.ts";
import { serverSentence } from "./server-sentence.ts";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
  }
}

interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: object;
}

/** Ending a stubborn worker takes the server up to 8 seconds; a call that takes much longer is lost. */
const patience = 30_000;

/** The file may be large, and the line slow. */
const downloadPatience = 10 * 60_000;

/** The body of the response. Rejects with a sentence for a person. */
export async function call<T>(path: string, schema: z.ZodMiniType<T>, options: Call = {}): Promise<T> {
  const response = await accepted(path, options);
  const read = schema.safeParse(await response.json().catch(() => undefined));
  if (read.success) return read.data;
  throw new ApiError("unexpected", response.status, apiTexts.notUnderstood);
}

/** Sends a file as the body, whatever it is called. */
export const uploadFile = <T>(path: string, file: Blob, schema: z.ZodMiniType<T>): Promise<T> =>
  call(path, schema, { method: "POST", body: file.slice(0, file.size, "application/octet-stream") });

/** For calls whose answer has nothing to read. */
export async function perform(path: string, options: Call): Promise<void> {
  await accepted(path, options);
}

/** The answer itself, for files. */
export const downloadResponse = (path: string): Promise<Response> => accepted(path, {}, downloadPatience);

async function accepted(path: string, options: Call, patienceMs = patience): Promise<Response> {
  const early = options.method === undefined ? await takeEarlyResponse(path) : null;
  const response = early ?? (await send(path, options, patienceMs));
  if (!response.ok) throw await refusal(response);
  useAccess.getState().allowed();
  return response;
}

async function send(path: string, options: Call, patienceMs: number): Promise<Response> {
  const { body } = options;
  const isFile = body instanceof Blob;
  const signal = AbortSignal.timeout(isFile ? downloadPatience : patienceMs);
  try {
    return await fetch(base + path, {
      method: options.method ?? "GET",
      credentials: "same-origin",
      headers: {
        ...secretHeaders(),
        ...(body === undefined || isFile ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      signal,
    });
  } catch {
    if (signal.aborted) throw new ApiError("unreachable", 0, apiTexts.slow);
    throw new ApiError("unreachable", 0, apiTexts.unreachable);
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const read = ErrorBody.safeParse(await response.json().catch(() => undefined));
  const error = read.success
    ? new ApiError(read.data.error.code, response.status, serverSentence(read.data.error.message))
    : new ApiError("unexpected", response.status, apiTexts.status(response.status));
  if (response.status === 401)
    useAccess.getState().refused(error.code === "login_ended" || pageSecret() !== null);
  return error;
}
