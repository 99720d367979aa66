// Checks the address that the server listens on. Beyond this machine, plain http would expose every token and transcript to the
// network, so it is refused unless the operator has configured TLS, a proxy or an explicit override.
import { isIPv4 } from "node:net";
import type { Config } from "../../config/config.ts";
import { StartError } from "../../diagnostics/start-error.ts";

/** Only programs on this machine reach such an address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^::ffff:/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  return isIPv4(name) && name.startsWith("127.");
}

/** Returns a warning for every start; undefined: none. Throws a sentence with the remedy if the address is refused. */
export function checkExposure(
  config: Pick<Config, "host" | "tls" | "trustProxy" | "insecureNetwork">,
): string | undefined {
  const { host } = config;
  if (isLoopback(host) || config.tls !== undefined || config.trustProxy !== false) return undefined;
  if (!config.insecureNetwork)
    throw new StartError(
      `Refusing to listen on "${host}" over plain http: others on the network could read the token. Use --tls-cert and --tls-key, list your reverse proxy in "trust_proxy", or accept the risk with --insecure-network.`,
    );
  return `Listening on "${host}" over plain http: everyone on the network can read tokens and transcripts, and log in with them. Use TLS (--tls-cert, --tls-key) or a reverse proxy.`;
}
