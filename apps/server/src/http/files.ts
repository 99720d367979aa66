// Routes for the changes of a session and the files of its directory.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../access/policy.ts";
import type { Machine } from "../machine/machine.ts";
import type { Hub } from "../session/hub/hub.ts";
import { parse } from "./requests/parse.ts";

const Id = z.object({ id: z.string() });
const Path = z.string().check(z.maxLength(4_096), z.regex(/^[^\0]*$/, "a path must not contain NUL"));
const DirectoryQuery = z.object({ path: z._default(Path, "") });
const PathsQuery = z.object({
  q: z._default(z.string().check(z.maxLength(300)), ""),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
});
const FileQuery = z.object({ path: Path.check(z.minLength(1)), from: z.optional(Path) });

export function fileRoutes(
  app: FastifyInstance,
  hub: Hub,
  { directories, files, changes }: Pick<Machine, "directories" | "files" | "changes">,
): void {
  // Checked on every request: the directory may no longer be allowed.
  const sessionDirectory = async (params: unknown): Promise<{ id: string; cwd: string }> => {
    const { id } = parse(Id, params);
    return { id, cwd: await directories.find(hub.view(id).cwd) };
  };

  app.get("/api/sessions/:id/changes", may("session.changes"), async (request) => {
    const { id, cwd } = await sessionDirectory(request.params);
    return { cwd, branch: directories.branch(cwd), ...(await changes.list(id, cwd)) };
  });

  app.get("/api/sessions/:id/changes/diff", may("session.changes"), async (request) => {
    const { id, cwd } = await sessionDirectory(request.params);
    const { path, from } = parse(FileQuery, request.query);
    const paths = from === undefined ? [path] : [from, path];
    const diff = await changes.diff(id, cwd, paths);
    return { path, diff };
  });

  app.get("/api/sessions/:id/files", may("session.files"), async (request) => {
    const { path } = parse(DirectoryQuery, request.query);
    return { path, ...(await files.list((await sessionDirectory(request.params)).cwd, path)) };
  });

  app.get("/api/sessions/:id/files/text", may("session.files"), async (request) => {
    const { path } = parse(FileQuery, request.query);
    return { path, ...(await files.readText((await sessionDirectory(request.params)).cwd, path)) };
  });

  // Completion of paths, for every worker.
  app.get("/api/sessions/:id/paths", may("session.files"), async (request) => {
    const { q, limit } = parse(PathsQuery, request.query);
    const { cwd } = await sessionDirectory(request.params);
    return { paths: await files.findPaths(cwd, q, limit) };
  });
}
