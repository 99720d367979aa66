// A file of the home that is encrypted with a key in another file of the home, both 0600. Whoever has only one of them (a
// backup, an upload, a screen) has nothing, and a changed file is refused. Whoever can read the whole home can decrypt it.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import * as z from "zod/mini";
import { errorCode } from "../../diagnostics/error-code.ts";

const Sealed = z.object({
  version: z.literal(1),
  iv: z.string(),
  tag: z.string(),
  data: z.string().check(z.maxLength(1024 * 1024)),
});

const cipherName = "aes-256-gcm";
const keyBytes = 32;
/** Binds the content to its purpose: another sealed file cannot be put in its place. */
const purpose = Buffer.from("patchbay provider keys 1");

export class SealedFile {
  readonly #path: string;
  readonly #keyPath: string;

  constructor(path: string, keyPath: string) {
    this.#path = path;
    this.#keyPath = keyPath;
  }

  /** Undefined: there is no such file. Rejects when it cannot be decrypted. */
  async read(): Promise<string | undefined> {
    const text = await readFile(this.#path, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const { iv, tag, data } = Sealed.parse(JSON.parse(text));
    const cipher = createDecipheriv(cipherName, await this.#readKey(), Buffer.from(iv, "base64"), {
      authTagLength: 16,
    });
    cipher.setAAD(purpose);
    cipher.setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([cipher.update(Buffer.from(data, "base64")), cipher.final()]).toString("utf8");
  }

  /** It is the old file or the new one, whatever happens meanwhile. */
  async write(text: string): Promise<void> {
    const key = await this.#readKey().catch(() => this.#makeKey());
    const iv = randomBytes(12);
    const cipher = createCipheriv(cipherName, key, iv, { authTagLength: 16 });
    cipher.setAAD(purpose);
    const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    const sealed = {
      version: 1,
      iv: iv.toString("base64"),
      tag: cipher.getAuthTag().toString("base64"),
      data: data.toString("base64"),
    };
    await replaceFile(this.#path, JSON.stringify(sealed));
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async #readKey(): Promise<Buffer> {
    const key = Buffer.from((await readFile(this.#keyPath, "utf8")).trim(), "base64");
    if (key.length !== keyBytes) throw new Error(`${this.#keyPath} does not hold a key`);
    await chmod(this.#keyPath, 0o600); // it may have been copied here
    return key;
  }

  async #makeKey(): Promise<Buffer> {
    const key = randomBytes(keyBytes);
    await replaceFile(this.#keyPath, `${key.toString("base64")}\n`);
    return key;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  const file = await open(fresh, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}
