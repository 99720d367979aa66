// What a session has changed, and its directory to be read.

import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Config } from "../config/config.ts";
import { errorCode } from "../diagnostics/error-code.ts";
import { listDirectory, readText } from "../machine/files/read-files.ts";
import { branchOf, findRepository } from "../machine/git/repository.ts";
import { GitError } from "../machine/git/run-git.ts";
import { allowedDirectory } from "../session/hub/directories.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { SessionFiles } from "../session/hub/session-files.ts";
import { parse } from "./requests/parse.ts";

const Id = z.object({ id: z.string() });
const Path = z.string().check(z.maxLength(4_096), z.regex(/^[^\0]*$/, "a path has no NUL"));
const Where = z.object({ path: z._default(Path, "") });
const Which = z.object({ path: Path.check(z.minLength(1)), from: z.optional(Path) });

export function fileRoutes(
  app: FastifyInstance,
  hub: Hub,
  files: SessionFiles,
  config: Pick<Config, "cwd" | "directories">,
): void {
  // Asked anew: what was allowed when the session was made may not be any more.
  const placeOf = (params: unknown): { id: string; cwd: string } => {
    const { id } = parse(Id, params);
    return { id, cwd: allowedDirectory(hub.view(id).cwd, config) };
  };

  app.get("/api/sessions/:id/changes", async (request) => {
    const { id, cwd } = placeOf(request.params);
    const repository = findRepository(cwd);
    const branch = repository === undefined ? null : branchOf(repository);
    return { cwd, branch, ...(await files.startOf(id).changes(cwd).catch(inWords)) };
  });

  app.get("/api/sessions/:id/changes/diff", async (request) => {
    const { id, cwd } = placeOf(request.params);
    const { path, from } = parse(Which, request.query);
    const paths = from === undefined ? [path] : [from, path];
    const diff = await files.startOf(id).diff(cwd, paths).catch(inWords);
    return { path, diff };
  });

  app.get("/api/sessions/:id/files", async (request) => {
    const { path } = parse(Where, request.query);
    return { path, ...(await listDirectory(placeOf(request.params).cwd, path)) };
  });

  app.get("/api/sessions/:id/files/text", async (request) => {
    const { path } = parse(Which, request.query);
    return { path, ...(await readText(placeOf(request.params).cwd, path)) };
  });
}

/** What git has against it, for the person who asked. */
function inWords(error: unknown): never {
  if (error instanceof GitError)
    throw new PatchbayError("bad_directory", `Changes cannot be shown: ${error.message}.`);
  const code = errorCode(error); // of a full disk, say
  if (code === undefined || error instanceof PatchbayError) throw error;
  throw new PatchbayError("bad_directory", `Changes cannot be shown: the server cannot keep them (${code}).`);
}
