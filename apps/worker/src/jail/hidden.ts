// What a jailed agent does not see even where it may look: keys and logins, and what belongs to the server.
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";

const inUserHome = `.ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/git/credentials
  .netrc .npmrc .pypirc .git-credentials .zot .claude/.credentials.json .codex`.split(/\s+/);

export interface Hidden {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Real paths of those that exist. */
export function hiddenPlaces(userHome: string, home: string): Hidden[] {
  const wanted = [home, ...inUserHome.map((name) => join(userHome, name))];
  const found = wanted.flatMap((path) => {
    try {
      const real = realpathSync(path);
      return [{ path: real, isDirectory: statSync(real).isDirectory() }];
    } catch {
      return []; // not there: nothing to hide
    }
  });
  return [...new Map(found.map((place) => [place.path, place])).values()];
}
