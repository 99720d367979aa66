// Decides which peers are reverse proxies with trusted `X-Forwarded-*` headers.
import { BlockList, isIP } from "node:net";

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/**
 * `true` trusts the direct peer at any address, but no hop behind it: a client can write any further entry of `X-Forwarded-For`.
 * `hop` is the distance from this server; the peer is 0.
 */
export type IsProxy = (address: string, hop: number) => boolean;

export function proxiesOf(trusted: boolean | readonly string[]): IsProxy {
  if (typeof trusted === "boolean") return (_address, hop) => trusted && hop === 0;
  const ranges = new BlockList();
  for (const range of trusted) {
    const [address = "", prefix] = range.split("/");
    if (prefix === undefined) ranges.addAddress(address, familyOf(address));
    else ranges.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && ranges.check(address, familyOf(address));
}
