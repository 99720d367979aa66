// The MCP server of the tests (offer.mjs) over streamable HTTP on loopback. It keeps the headers of every call for inspection.
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

const offer: string = "../mcp-servers/offer.mjs"; // plain JavaScript, without types

export interface HttpMcp extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly headers: readonly IncomingHttpHeaders[];
}

export async function startHttpMcp(port = 0): Promise<HttpMcp> {
  const { createServer } = (await import(offer)) as { createServer(): McpServer };
  const handler = createMcpHandler(() => createServer());
  const headers: IncomingHttpHeaders[] = [];
  const server = createHttpServer((request, response) => {
    headers.push(request.headers);
    void answer(request)
      .then(async (answered) => {
        response.writeHead(answered.status, Object.fromEntries(answered.headers));
        if (answered.body === null) return response.end();
        for await (const chunk of answered.body) response.write(chunk);
        return response.end();
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function answer(request: IncomingMessage): Promise<Response> {
    const gone = new AbortController();
    request.socket.once("close", () => gone.abort());
    const { method = "GET", url = "/" } = request;
    const bare = method === "GET" || method === "DELETE";
    const body = bare ? {} : { body: Readable.toWeb(request) as ReadableStream, duplex: "half" };
    return handler.fetch(
      new Request(new URL(url, `http://127.0.0.1:${portOf()}`), {
        method,
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        signal: gone.signal,
        ...body,
      }),
    );
  }

  const portOf = (): number => (server.address() as AddressInfo).port;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf()}/mcp`,
    port: portOf(),
    headers,
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
