// The certificate that the server shows, read again when its files change or on SIGHUP: certificates are renewed every
// few weeks, and sessions must not end for it. A pair that does not fit is logged, and the one before stays in use.
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

/** Two looks at file times. Not `fs.watch`: renewals replace links and directories, which it does not follow. */
const lookEveryMs = 10_000;

/** Throws one sentence for what is wrong with them. */
export function readCertificate(files: CertificateFiles): Pair {
  const pair = { cert: read(files.cert, "--tls-cert"), key: read(files.key, "--tls-key") };
  try {
    createSecureContext(pair);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${files.cert} and ${files.key} are no certificate and its key in PEM form (${problem}). Check --tls-cert and --tls-key.`,
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

/** Tells of every new pair; returns what ends it. */
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
      log.error({ err: error }, "the TLS certificate was not changed: the files cannot be used");
    }
  };
  const paths = [files.cert, files.key];
  for (const path of paths) watchFile(path, { interval: lookEveryMs, persistent: false }, reload);
  // On a terminal, SIGHUP says that it was closed; the process ends as it does without TLS.
  const bySignal = !process.stdin.isTTY;
  if (bySignal) process.on("SIGHUP", reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
    if (bySignal) process.off("SIGHUP", reload);
  };
}
