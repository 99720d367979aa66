// A real HTTP server that receives webhooks and spans. Tests can set its responses.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: unknown;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  readonly received: readonly Received[];
  /** The statuses of the next responses; then 204. */
  refuse(...statuses: number[]): void;
  /** Resolves with the first match, received already or later. */
  until(fits: (received: Received) => boolean): Promise<Received>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const statuses: number[] = [];
  let changed = (): void => {};
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body) });
      response.writeHead(statuses.shift() ?? 204).end();
      changed();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    refuse: (...next) => statuses.push(...next),
    async until(fits) {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
