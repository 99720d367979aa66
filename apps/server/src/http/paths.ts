// Completion of paths in a session's directory, for whatever worker it has.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Config } from "../config/config.ts";
import type { PathFinder } from "../machine/git/find-paths.ts";
import { allowedDirectory } from "../session/hub/directories.ts";
import type { Hub } from "../session/hub/hub.ts";
import { parse } from "./requests/parse.ts";

const Id = z.object({ id: z.string() });
const Query = z.object({
  q: z._default(z.string().check(z.maxLength(300)), ""),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
});

export function pathRoutes(
  app: FastifyInstance,
  hub: Hub,
  finder: PathFinder,
  config: Pick<Config, "cwd" | "directories">,
): void {
  app.get("/api/sessions/:id/paths", async (request) => {
    const { q, limit } = parse(Query, request.query);
    // Asked anew: what was allowed when the session was made may not be any more.
    const directory = allowedDirectory(hub.view(parse(Id, request.params).id).cwd, config);
    return { paths: await finder.find(directory, q, limit) };
  });
}
