// fetch for MCP servers over HTTP, with a bound on what one message may hold: the SDK collects an answer,
// or an event of a stream, until it is complete, however long that is.

/** The same as a line of a server over stdio. */
const maxMessageBytes = 16 * 1024 * 1024;
const LF = 10;

export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const stream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(stream ? linesBounded() : allBounded());
  const bounded = new Response(body, { status, statusText, headers });
  // The SDK reads these, and a constructed response has none.
  Object.defineProperties(bounded, {
    url: { value: response.url },
    redirected: { value: response.redirected },
    type: { value: response.type },
  });
  return bounded;
}

const tooLong = (): Error => new Error(`the server's message is longer than ${maxMessageBytes} bytes`);

function allBounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxMessageBytes) throw tooLong();
      controller.enqueue(chunk);
    },
  });
}

function linesBounded(): TransformStream<Uint8Array, Uint8Array> {
  let inLine = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(LF);
      inLine = end === -1 ? inLine + chunk.length : chunk.length - end - 1;
      if (inLine > maxMessageBytes) throw tooLong();
      controller.enqueue(chunk);
    },
  });
}
