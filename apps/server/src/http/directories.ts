// The route that completes paths of directories, before there is a session.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../access/policy.ts";
import type { MachineDirectories } from "../machine/machine.ts";
import { parse } from "./requests/parse.ts";

const Query = z.object({
  path: z._default(z.string().check(z.maxLength(4_096), z.regex(/^[^\0]*$/, "a path has no NUL")), "~/"),
});

export function directoryRoutes(app: FastifyInstance, directories: MachineDirectories): void {
  app.get("/api/directories", may("directories.browse"), async (request) =>
    directories.list(parse(Query, request.query).path),
  );
}
