// Serves the page: static files with long-lived caching for hashed assets, and index.html for every address that is not an API call,
// so that the page's own addresses can be opened and reloaded.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import { may } from "../access/policy.ts";

/** `base`: the path of this server behind a reverse proxy. The page resolves its addresses from there. */
export async function pageRoutes(app: FastifyInstance, webRoot: string, base: string): Promise<void> {
  const index = readFileSync(join(webRoot, "index.html"), "utf8").replace(
    "<head>",
    `<head><base href="${base}/">`,
  );
  const files = new Set(filesBelow(webRoot));
  files.delete("/shared.html"); // the page of share links, which has a policy of its own
  await app.register(async (page) => {
    await page.register(fastifyStatic, {
      root: webRoot,
      serve: false, // a route per file took a fifth of the server's start; one route looks the file up
      index: false,
      cacheControl: false,
      preCompressed: true, // the build has put a .br and a .gz beside what is worth it
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(webRoot, "assets"));
        response.setHeader("vary", "accept-encoding");
        response.setHeader("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
    page.get("/*", may("page.load"), async (request, reply) => {
      // Such as "//", which a browser reads as the name of a host.
      if (!URL.canParse(request.url, "http://patchbay"))
        throw new PatchbayError("bad_request", "This is not a valid address.");
      const path = request.url.split("?")[0] ?? "/";
      if (files.has(path)) return reply.sendFile(path);
      if (path.startsWith("/api/") || path.startsWith("/assets/")) throw new PatchbayError("not_found");
      return reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(index);
    });
  });
  app.setNotFoundHandler(() => {
    throw new PatchbayError("not_found");
  });
}

/** Returns the files as URL paths. Read once, because no file is added while the server runs. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).split(sep).join("/"));
}
