// Limits the unauthenticated connections of one address, so that one peer cannot use up the total. Proxies carry the connections of
// many users: only the total limits them.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { addressGroup } from "./address-group.ts";
import type { IsProxy } from "./proxies.ts";

export class Connections {
  readonly #perAddress: number;
  readonly #isProxy: IsProxy;
  /** The number of unauthenticated connections by address. */
  readonly #unauthenticated = new Map<string, number>();
  /** The address that a connection counts for. Keyed by address and port, because a TLS stream is another object than its socket. */
  readonly #counted = new Map<string, string>();

  constructor(options: { perAddress: number; isProxy: IsProxy }) {
    this.#perAddress = options.perAddress;
    this.#isProxy = options.isProxy;
  }

  /** Called with every new connection, before anything is read from it. */
  opened(socket: Socket): void {
    const { remoteAddress } = socket;
    const key = keyOf(socket);
    if (remoteAddress === undefined || key === undefined) return void socket.destroy(); // closed already
    if (this.#isProxy(remoteAddress, 0)) return;
    const group = addressGroup(remoteAddress);
    const count = this.#unauthenticated.get(group) ?? 0;
    if (count >= this.#perAddress) return void socket.destroy();
    this.#unauthenticated.set(group, count + 1);
    this.#counted.set(key, group);
    socket.once("close", () => this.#uncount(key));
  }

  /** The connection has authenticated: it no longer counts. */
  loggedIn(socket: Socket): void {
    if (this.#counted.size === 0) return;
    const key = keyOf(socket);
    if (key !== undefined) this.#uncount(key);
  }

  #uncount(key: string): void {
    const group = this.#counted.get(key);
    if (group === undefined) return;
    this.#counted.delete(key);
    const count = (this.#unauthenticated.get(group) ?? 1) - 1;
    if (count === 0) this.#unauthenticated.delete(group);
    else this.#unauthenticated.set(group, count);
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

/** At most half of the file descriptors that the system grants: logs, databases and workers need the others. */
export function connectionLimit(wanted: number): number {
  const granted = grantedDescriptors();
  return granted === undefined ? wanted : Math.max(1, Math.min(wanted, Math.floor(granted / 2)));
}

/** Undefined: the system does not report it. */
function grantedDescriptors(): number | undefined {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return line?.[1] === undefined ? undefined : Number(line[1]);
  } catch {
    return undefined; // not Linux
  }
}
