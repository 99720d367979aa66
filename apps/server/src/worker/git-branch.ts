// The git branch a directory is on, without starting a process for every prompt. Empty where there is no
// repository; the commit's short name where no branch is checked out.
import { branchOf, findRepository } from "../files/repository.ts";

export function gitBranch(directory: string): string {
  const repository = findRepository(directory);
  return repository === undefined ? "" : branchOf(repository);
}
