// Starts a session, hands it its first prompt, and goes to it; returns why when it cannot.
import type { CreateSession, PromptImage, SessionInfo } from "@patchbay/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../api/http/call.ts";
import { createSession } from "../api/sessions.ts";
import { enqueuePrompt } from "../connection/session-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { projectDirectory } from "../session-list/group-sessions.ts";
import { nameFrom } from "../session-list/name-from.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { rememberChoice } from "./start-choices.ts";

export type StartField = "worker" | "cwd" | "form";

const fieldOf: Readonly<Record<string, StartField>> = {
  unknown_worker: "worker",
  worker_unavailable: "worker",
  bad_directory: "cwd",
};

export interface FirstPrompt {
  message: string;
  images: readonly PromptImage[];
}

export function useStartSession() {
  const [refusal, setRefusal] = useState<{ field: StartField; message: string } | null>(null);
  const [starting, setStarting] = useState(false);
  const [, navigate] = useLocation();
  /** `started` is called when there is a session, before it is shown. */
  const start = (request: CreateSession, prompt?: FirstPrompt, started?: () => void): void => {
    setStarting(true);
    setRefusal(null);
    startSession(request, prompt).then(
      (session) => {
        started?.();
        navigate(`/sessions/${session.id}`);
      },
      (error: unknown) => {
        setStarting(false);
        const field = error instanceof ApiError ? (fieldOf[error.code] ?? "form") : "form";
        setRefusal({ field, message: errorMessage(error) });
      },
    );
  };
  /** Why it was refused, if the refusal is about that field. */
  const problemOf = (field: StartField): string | undefined =>
    refusal?.field === field ? refusal.message : undefined;
  return { start, starting, problem: refusal?.message ?? null, problemOf };
}

/** The first prompt names the session. The choices are remembered once the server has accepted them. */
export async function startSession(request: CreateSession, prompt?: FirstPrompt): Promise<SessionInfo> {
  const name = request.name ?? nameFrom(prompt?.message ?? "");
  const session = await createSession({ ...request, ...(name === "" ? {} : { name }) });
  rememberChoice({
    cwd: projectDirectory(session),
    worker: session.worker,
    ...(request.model === undefined ? {} : { model: request.model }),
  });
  if (prompt !== undefined) enqueuePrompt(session.id, prompt.message, prompt.images);
  useSessionList.getState().put(session);
  return session;
}
