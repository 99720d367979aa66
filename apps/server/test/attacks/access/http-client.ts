// HTTP as an attacker speaks it: any header, any path, any local address, and sockets that are left half done.
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";

export interface Answered {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  localAddress?: string;
}

/** An address of IPv6 stands in brackets in a URL, and nowhere else. */
function addressOf({ url }: { url: string }): { hostname: string; port: string } {
  const { hostname, port } = new URL(url);
  return { hostname: hostname.replaceAll(/[[\]]/g, ""), port };
}

/** fetch() forbids setting Host and Origin; an attacker does not ask. The path is sent as it is written. */
export function ask(server: { url: string }, path: string, asked: Asked = {}): Promise<Answered> {
  const { hostname, port } = addressOf(server);
  const body = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  const headers = {
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(body.length) }),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const { method = "GET", localAddress } = asked;
    request(
      { hostname, port, path, method, headers, ...(localAddress === undefined ? {} : { localAddress }) },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
        );
      },
    )
      .on("error", reject)
      .end(body);
  });
}

/** A browser that is logged in, without the browser. */
export interface LoggedIn {
  id: string;
  /** `name=value`, as it is sent. */
  cookie: string;
  secret: string;
  /** What its page sends with every call. */
  headers: Record<string, string>;
}

export async function logIn(
  server: { url: string; loginUrl(): Promise<string> },
  given?: object,
  headers: Record<string, string> = {},
): Promise<LoggedIn> {
  const body = given ?? { code: codeIn(await server.loginUrl()) };
  const answer = await ask(server, "/api/login", { method: "POST", body, headers });
  if (answer.status !== 201) throw new Error(`not logged in: ${answer.status} ${answer.body}`);
  const { login, secret } = JSON.parse(answer.body) as { login: { id: string }; secret: string };
  const cookie = cookieIn(answer);
  return { id: login.id, cookie, secret, headers: { cookie, "x-patchbay-page": secret } };
}

export const codeIn = (loginUrl: string): string => /#code=(.+)$/.exec(loginUrl)?.[1] ?? "";

export const cookieIn = ({ headers }: Answered): string =>
  (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";

/** A socket to the server, with whatever is to be written first. */
export async function dial(
  server: { url: string },
  text: string,
  options: { localAddress?: string } = {},
): Promise<Socket> {
  const { hostname, port } = addressOf(server);
  const socket = connect({ host: hostname, port: Number(port), ...options });
  socket.on("error", () => {}); // `close` tells
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", resolve));
  if (text !== "") socket.write(text);
  return socket;
}

/** What the server says until it closes the socket. */
export async function untilClosed(socket: Socket): Promise<string> {
  let said = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    said += text;
  });
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return said;
}

/** The head of a request that wants to become a WebSocket. */
export function upgradeHead(
  server: { url: string },
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): string {
  const all = {
    host: new URL(server.url).host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The answer to an upgrade that is refused: its status, when the server has closed the socket. */
export async function refusedUpgrade(
  server: { url: string },
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<number> {
  const said = await untilClosed(await dial(server, upgradeHead(server, path, headers, method)));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 0);
}
