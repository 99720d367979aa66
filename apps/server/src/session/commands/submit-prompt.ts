// A prompt of a program that does not attach to the session. It is answered when it is saved, not when its turn begins, and its key
// makes it run once: the receipts are those of the viewers' commands.
import { randomUUID } from "node:crypto";
import {
  type Author,
  type ErrorCode,
  errorTable,
  PatchbayError,
  type PromptImage,
  type Response,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { PromptReceipt, promptReceipt } from "../record/prompt-receipt.ts";
import type { Session } from "../session.ts";
import { authorship, type Task } from "../turns/queue.ts";

interface SubmittedPrompt {
  /** The namespace of the key. */
  sender: string;
  /** The idempotency key. */
  key: string | undefined;
  /** A digest of the call. */
  content: string;
  message: string;
  images: readonly PromptImage[];
  author: Author;
}

/** Rejects with a `PatchbayError` when nothing was begun. */
export function submitPrompt(session: Session, prompt: SubmittedPrompt): Promise<PromptReceipt> {
  const { sender, key, content } = prompt;
  return new Promise((resolve, reject) => {
    const deliver = (response: Response): void => {
      const receipt = PromptReceipt.safeParse(response.data);
      if (!response.success || !receipt.success) reject(refusalOf(response));
      else if (receipt.data.content !== content) reject(new PatchbayError("key_reused"));
      else resolve(receipt.data);
    };
    if (key !== undefined && !session.receipts.claim(sender, key, deliver)) return;
    session.turns.submit(taskFor(session, prompt, deliver));
  });
}

function taskFor(session: Session, prompt: SubmittedPrompt, deliver: (response: Response) => void): Task {
  const { sender, key, content, message, images, author } = prompt;
  let answered = false;
  const settle = (response: Response, isAccepted: boolean): void => {
    if (answered) return;
    answered = true;
    if (key === undefined) deliver(response);
    else if (isAccepted) session.receipts.settle(sender, key, response, true);
    else session.receipts.refuse(sender, key, response);
  };
  const accept = (): void => settle(promptReceipt(task, content), true);
  const task: Task = {
    id: randomUUID(),
    command: "prompt",
    payload: { message, ...(images.length === 0 ? {} : { images }) },
    message,
    images: images.length,
    queued_at: new Date().toISOString(),
    viewer: sender,
    command_id: key ?? null,
    ...authorship(author),
    sent_seq: null,
    tracked: { content },
    accepted: accept,
    started: accept,
    waits: accept,
    fail: (error, code = "internal") => settle(refusal(error, code), false),
  };
  return task;
}

const Refusal = z.object({ code: z.string() });

const refusal = (error: string, code: ErrorCode): Response => ({
  type: "response",
  command: "prompt",
  success: false,
  error,
  data: { code },
});

function refusalOf({ error, data }: Response): PatchbayError {
  const code = Refusal.safeParse(data).data?.code ?? "";
  return new PatchbayError(isErrorCode(code) ? code : "internal", error);
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);
