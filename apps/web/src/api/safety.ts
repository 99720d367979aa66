// What protects the person who runs agents here (docs/api.md, `/api/safety`).
import { Safety, type UpdateSafety } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const SafetyBody = z.object({ safety: Safety });

export const readSafety = async (): Promise<Safety> => (await call("/api/safety", SafetyBody)).safety;

export const updateSafety = async (body: UpdateSafety): Promise<Safety> =>
  (await call("/api/safety", SafetyBody, { method: "PATCH", body })).safety;
