// Calls the running server of this home through its local socket. The file system authenticates both sides, so no token is needed, and
// none is sent to another program that may listen on the port.
import { connect } from "node:net";
import { LineSplitter, linesOf } from "@patchbay/protocol";
import * as z from "zod/mini";
import { errorCode } from "../diagnostics/error-code.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { socketPath } from "../sockets/local/endpoint.ts";

const RpcResponse = z.looseObject({
  id: z.nullable(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.string() })),
});

/** The longest response is the report of an import. */
const maxResponseBytes = 1024 * 1024;

export function callServer<T>(
  home: string,
  method: string,
  params: object,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath(home) });
    const lines = new LineSplitter({ maxLineBytes: maxResponseBytes });
    const fail = (error: StartError): void => {
      socket.destroy();
      reject(error);
    };
    const send = (id: number, name: string, given: object): void => {
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: name, params: given })}\n`);
    };
    send(1, "initialize", { protocol_version: 1 });
    send(2, method, params);
    socket.on("data", (chunk: Buffer) => {
      for (const line of lines.pushRuns(chunk).flatMap((run) => [...linesOf(run)])) {
        const { id, result, error } = RpcResponse.parse(JSON.parse(new TextDecoder().decode(line)));
        if (error !== undefined) return fail(new StartError(error.message));
        if (id !== 2) continue;
        const read = schema.safeParse(result);
        if (!read.success)
          return fail(
            new StartError("The server sent a response that cannot be read. Is it the same version?"),
          );
        socket.end();
        return resolve(read.data);
      }
    });
    socket.on("error", (error) => {
      const isGone = ["ENOENT", "ECONNREFUSED", "ENOTDIR"].includes(errorCode(error) ?? "");
      fail(
        new StartError(
          isGone
            ? `No server is running for ${home}. Start it with "npm start".`
            : `The server for ${home} does not respond (${error.message}).`,
        ),
      );
    });
    socket.on("close", () => fail(new StartError("The server stopped before it responded.")));
  });
}
