// What public/early.js requested while this module was being loaded. Each response is taken once; what is not there is
// requested as usual.

interface EarlySocket {
  session: string;
  address: string;
  socket: WebSocket;
  /** Messages that arrived before a feed took the socket. */
  texts: string[];
  closed: CloseEvent | null;
  /** Settles with the first message of the server, or with the end of the socket. */
  answered: Promise<unknown>;
}

interface Early {
  answers: Partial<Record<string, Promise<Response>>>;
  socket: EarlySocket | null;
  /** The code of a login link, which is not in the address any more. */
  code: string | null;
  /** The secret of an invitation, which is not in the address any more either. */
  invitation: string | null;
  /** The address held a token, as login links of earlier versions did. */
  oldLink: boolean;
}

declare global {
  // oxlint-disable-next-line no-var -- a property of window is declared in no other way
  var patchbayEarly: Early | undefined;
}

const early: Early = globalThis.patchbayEarly ?? {
  answers: {},
  socket: null,
  code: null,
  invitation: null,
  oldLink: false,
};

export const loginLink = (): Pick<Early, "code" | "invitation" | "oldLink"> => early;

/** Null too when it failed: the next try may not. */
export async function takeEarlyResponse(path: string): Promise<Response | null> {
  const answer = early.answers[path];
  delete early.answers[path];
  return (await answer?.catch(() => null)) ?? null;
}

export const earlySocket = (): Pick<EarlySocket, "session" | "answered"> | null => early.socket;

export function takeEarlySocket(address: string): EarlySocket | null {
  const found = early.socket?.address === address ? early.socket : null;
  if (found !== null) early.socket = null;
  return found;
}
