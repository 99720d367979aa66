// What protects the person who runs agents here (docs/api.md, `/api/safety`).
import { SafetyInfo, type UpdateSafety } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const SafetyBody = z.object({ safety: SafetyInfo });

export const readSafety = async (): Promise<SafetyInfo> => (await call("/api/safety", SafetyBody)).safety;

export const updateSafety = async (body: UpdateSafety): Promise<SafetyInfo> =>
  (await call("/api/safety", SafetyBody, { method: "PATCH", body })).safety;
