// What other programs left on the server's machine: sessions to go on with, and what was spent outside.
import { FoundSession } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Found = z.object({ sessions: z.array(FoundSession) });

export const listFound = async (cwd: string): Promise<FoundSession[]> =>
  (await call(`/api/imports?cwd=${encodeURIComponent(cwd)}`, Found)).sessions;
