// What protects the person who runs agents here (docs/api.md, `/api/safety`).
import { Safety, type UpdateSafety } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Answer = z.object({ safety: Safety });

export const readSafety = async (): Promise<Safety> => (await call("/api/safety", Answer)).safety;

export const updateSafety = async (body: UpdateSafety): Promise<Safety> =>
  (await call("/api/safety", Answer, { method: "PATCH", body })).safety;
