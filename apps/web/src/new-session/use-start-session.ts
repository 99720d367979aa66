// Starts a session and goes to it; returns why when it cannot.
import type { CreateSession } from "@patchbay/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { createSession } from "../api/sessions.ts";
import { errorMessage } from "../format/error-message.ts";
import { useSessionList } from "../session-list/session-list.ts";

export function useStartSession() {
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const [, navigate] = useLocation();
  const put = useSessionList((list) => list.put);
  const start = (request: CreateSession): void => {
    setStarting(true);
    createSession(request).then(
      (session) => {
        put(session);
        navigate(`/sessions/${session.id}`);
      },
      (error: unknown) => {
        setStarting(false);
        setProblem(errorMessage(error));
      },
    );
  };
  return { start, starting, problem };
}
