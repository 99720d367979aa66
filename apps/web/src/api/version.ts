// The version of the server.
import * as z from "zod/mini";
import { call } from "./http/call.ts";

export const readVersion = async (): Promise<string> =>
  (await call("/healthz", z.object({ version: z.string() }))).version;
