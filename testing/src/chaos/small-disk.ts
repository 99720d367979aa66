// A small file system for a server's home, which a test can fill to its last byte and empty again.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  readonly path: string;
  fill(): void;
  free(): void;
}

/** The disk, or the reason why no file system can be mounted. */
export function mountSmallDisk(size: string): SmallDisk | { problem: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-small-")));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "patchbay-test", path], { stdio: "pipe" });
  } catch (error) {
    rmSync(path, { recursive: true });
    return { problem: String(error).split("\n")[0] ?? "" };
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize + 4_096));
      } catch {
        // The disk is full, as intended.
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
