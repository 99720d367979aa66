// A part of a session's messages, for a page that does not keep them all.
import { Message } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Messages = z.object({ messages: z.array(Message) });

export const fetchMessages = async (session: string, from: number, count: number): Promise<Message[]> => {
  const path = `/api/sessions/${encodeURIComponent(session)}/messages?from=${from}&count=${count}`;
  return (await call(path, Messages)).messages;
};
