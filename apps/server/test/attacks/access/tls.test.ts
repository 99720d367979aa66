// https and wss served by ourselves, with a real certificate and real handshakes.
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Certificate, makeCertificate } from "@patchbay/testing/certificate";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { actorConfig } from "../../support/actor.ts";
import { type Answered, ask, codeIn, cookieIn, dial, untilClosed } from "./http-client.ts";
import { refusedStart } from "./refused-start.ts";

function writeCertificate(made: Certificate): { cert: string; key: string } {
  const directory = temporaryDirectory("tls");
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.key);
  return files;
}

/** A call over TLS that trusts exactly this certificate. */
function askSecurely(
  server: { url: string },
  path: string,
  options: {
    ca: string;
    servername?: string;
    method?: string;
    headers?: Record<string, string>;
    body?: object;
  },
): Promise<Answered> {
  const { hostname, port } = new URL(server.url);
  const { ca, servername = "localhost", method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    request(
      {
        ...{ hostname, port, path, ca, servername, method },
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      },
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
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe("TLS of our own", () => {
  const made = makeCertificate(["localhost", "agents.example", "127.0.0.1"]);
  const start = (files: { cert: string; key: string }, config: object = {}): Promise<RunningServer> =>
    startServer({
      args: ["--host", "0.0.0.0", "--tls-cert", files.cert, "--tls-key", files.key],
      config: actorConfig({ allowed_hosts: ["agents.example"], ...config }),
    });

  it("[X31] serves calls, logins and sockets, with cookies for https only", async () => {
    await using server = await start(writeCertificate(made));
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(new URL(server.printedLoginUrl).protocol).toBe("https:");
    const ca = made.cert;
    const body = { code: codeIn(server.printedLoginUrl) };
    const origin = server.url;
    const login = await askSecurely(server, "/api/login", { ca, method: "POST", body, headers: { origin } });
    expect(login.status).toBe(201);
    expect(login.headers["set-cookie"]?.[0]).toMatch(/; Secure/);
    const headers = { authorization: `Bearer ${server.token}` };
    const created = await askSecurely(server, "/api/sessions", { ca, method: "POST", headers, body: {} });
    const { session } = JSON.parse(created.body);
    const { secret } = JSON.parse(login.body);
    const address = `${server.url.replace("https", "wss")}/api/sessions/${session.id}/socket`;
    const socket = new WebSocket(address, ["patchbay", `patchbay.${secret}`], {
      ca,
      headers: { cookie: cookieIn(login), origin },
    });
    const first = await new Promise<string>((resolve, reject) =>
      socket.once("message", (data: Buffer) => resolve(data.toString())).once("error", reject),
    );
    expect(first).toContain('"type":"attached"');
    socket.terminate();
    const plain = { ca, headers: { ...headers, origin: server.url.replace("https", "http") } };
    expect((await askSecurely(server, "/api/sessions", plain)).status).toBe(403);
    await expect(ask({ url: server.url.replace("https", "http") }, "/healthz")).rejects.toThrow();
  });

  it("[X31] asks browsers to stay with https, but not for names that other ports share", async () => {
    await using server = await start(writeCertificate(made));
    const policy = async (host: string): Promise<unknown> => {
      const answer = await askSecurely(server, "/healthz", { ca: made.cert, headers: { host } });
      expect(answer.status).toBe(200);
      return answer.headers["strict-transport-security"];
    };
    expect(await policy("agents.example")).toBe("max-age=31536000");
    for (const host of ["localhost:7171", "127.0.0.1:7171", "[::1]:7171"])
      expect(await policy(host)).toBeUndefined();
    await using plain = await startServer();
    expect((await ask(plain, "/healthz")).headers["strict-transport-security"]).toBeUndefined();
  });

  it("[X31] a renewed certificate is used after SIGHUP or by itself; one that does not fit is not", async () => {
    const files = writeCertificate(made);
    await using server = await start(files);
    const shown = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const { port } = new URL(server.url);
        const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        }).on("error", reject);
      });
    const first = await shown();
    const renewed = makeCertificate(["localhost"]);
    writeFileSync(files.cert, renewed.cert); // its key is not there yet
    server.process.kill("SIGHUP");
    await server.logged("the TLS certificate was not changed");
    expect(await shown()).toBe(first);
    writeFileSync(files.key, renewed.key);
    server.process.kill("SIGHUP");
    await server.logged("the TLS certificate was read again");
    const second = await shown();
    expect(second).not.toBe(first);
    const third = makeCertificate(["localhost"]);
    writeFileSync(files.cert, third.cert);
    writeFileSync(files.key, third.key);
    await expect.poll(shown, { timeout: 30_000, interval: 500 }).not.toBe(second);
    expect((await askSecurely(server, "/healthz", { ca: third.cert })).status).toBe(200);
  });

  it("[X31] files that are missing or do not match are reported in one sentence", async () => {
    const files = writeCertificate(made);
    const other = writeCertificate(makeCertificate(["localhost"]));
    expect(await refusedStart(["--tls-cert", files.cert])).toContain(
      "TLS needs two files: --tls-cert and --tls-key",
    );
    expect(await refusedStart([], { tls: { cert: "/no/such/file", key: files.key } })).toContain(
      "Cannot read /no/such/file",
    );
    expect(await refusedStart(["--tls-cert", files.cert, "--tls-key", other.key])).toContain(
      "not a PEM certificate and its key",
    );
    expect(await refusedStart(["--tls-cert", files.key, "--tls-key", files.key])).toContain(
      "not a PEM certificate and its key",
    );
  });

  it("[X31] a peer that does not finish its handshake is disconnected", async () => {
    const limits = { header_ms: 1_000, body_ms: 1_000 };
    await using server = await start(writeCertificate(made), { limits });
    expect(await untilClosed(await dial(server, ""))).toBe("");
    expect(await untilClosed(await dial(server, "\u0016\u0003\u0001"))).toBe("");
  });
});
