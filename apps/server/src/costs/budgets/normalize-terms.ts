// Normalizes the target of a budget. The ledger has the real path of a session's directory, so a target that is a link or ends in
// a slash would match no session.
import { isAbsolute, normalize } from "node:path";
import { type BudgetTerms, PatchbayError } from "@patchbay/protocol";
import { expandHome } from "../../config/config.ts";

export function normalizeTerms(terms: BudgetTerms, realPath: (path: string) => string): BudgetTerms {
  const { scope, target } = terms;
  if (scope === "everything") return { ...terms, target: null };
  if (scope !== "project" || target === null) return terms;
  const path = expandHome(target.trim());
  if (!isAbsolute(path)) return terms;
  return { ...terms, target: realPath(normalize(path).replace(/(?<=.)\/+$/, "")) };
}

/** A relative path has no fixed base directory. */
export function requireAbsolutePath({ scope, target }: BudgetTerms): void {
  if (scope === "project" && target !== null && !isAbsolute(expandHome(target.trim())))
    throw new PatchbayError(
      "bad_request",
      `target: expected the absolute path of a directory, not "${target}".`,
    );
}
