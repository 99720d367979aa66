// Creates a self-signed certificate with Node alone: tests must run on machines without openssl.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  /** Both in PEM form. */
  cert: string;
  key: string;
}

/** For these names and IPv4 addresses. Pass it as `ca` to trust it. */
export function makeCertificate(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = sequence(oid("2a8648ce3d040302")); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(names[0] ?? "test")))));
  const alternatives = sequence(
    ...names.map((each) =>
      isIPv4(each) ? der(0x87, Buffer.from(each.split(".").map(Number))) : der(0x82, Buffer.from(each)),
    ),
  );
  const always = Buffer.from([1, 1, 0xff]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(-1), time(1)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        sequence(oid("551d13"), always, der(0x04, sequence(always))), // an authority
        sequence(oid("551d11"), der(0x04, alternatives)), // subjectAltName
      ),
    ),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const text = sequence(body, algorithm, signature).toString("base64");
  const lines = text.match(/.{1,64}/g) ?? []; // without an empty one at the end, which is no PEM
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

/** So many years from now, as UTCTime. */
function time(years: number): Buffer {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
}
