// Which peers are reverse proxies whose `X-Forwarded-*` headers are believed.
import { BlockList, isIP } from "node:net";

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Whether the text is an address, or a range in CIDR notation. */
export function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32));
}

/**
 * `true` believes the peer, whatever its address, and nobody behind it: further entries of `X-Forwarded-For` were
 * written by others, who may have lied. `hop` is how far from us an address is; the peer is 0.
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
