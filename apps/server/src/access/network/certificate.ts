// The certificate of the server, read again when its files change or on SIGHUP: certificates are renewed every few weeks, and sessions
// must not end for it. An unusable pair is logged, and the old one stays in use.
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import type { FastifyBaseLogger } from "fastify";
import { errorCode } from "../../diagnostics/error-code.ts";
import { StartError } from "../../diagnostics/start-error.ts";

export interface CertificateFiles {
  cert: string;
  key: string;
}

interface Pair {
  cert: Buffer;
  key: Buffer;
}

/** The interval of polling file times. `fs.watch` does not follow the links and directories that renewals replace. */
const pollMs = 10_000;

/** Throws one sentence for the operator if the files cannot be used. */
export function readCertificate(files: CertificateFiles): Pair {
  const pair = { cert: read(files.cert, "--tls-cert"), key: read(files.key, "--tls-key") };
  try {
    createSecureContext(pair);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${files.cert} and ${files.key} are not a PEM certificate and its key (${problem}). Check --tls-cert and --tls-key.`,
    );
  }
  return pair;
}

function read(path: string, flag: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`Cannot read ${path} (${errorCode(error)}). Check ${flag}.`);
  }
}

/** Calls `changed` with every new pair. Returns a function that stops watching. */
export function watchCertificate(
  files: CertificateFiles,
  log: FastifyBaseLogger,
  changed: (pair: Pair) => void,
): () => void {
  const reload = (): void => {
    try {
      changed(readCertificate(files));
      log.info("the TLS certificate was read again");
    } catch (error) {
      log.error({ err: error }, "the TLS certificate was not changed: the files cannot be read");
    }
  };
  const paths = [files.cert, files.key];
  for (const path of paths) watchFile(path, { interval: pollMs, persistent: false }, reload);
  // On a terminal, SIGHUP means that it was closed, and the process must end.
  const bySignal = !process.stdin.isTTY;
  if (bySignal) process.on("SIGHUP", reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
    if (bySignal) process.off("SIGHUP", reload);
  };
}
