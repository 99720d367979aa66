export { type Bubblewrap, findBubblewrap, findSandbox, type Sandbox } from "./bubblewrap.ts";
export { executedLater } from "./executed-later.ts";
export { allows, allowsOpened, type Fence, isWithin, type WriteFence } from "./fence.ts";
export { homeOf, type SandboxPlan, unconfinable } from "./mounts.ts";
export { privatePlaces, realPathIfThere } from "./private-places.ts";
export {
  holdDirectory,
  makeDirectory,
  type OpenDirectory,
  openWithin,
  realPathOf,
  realWithin,
} from "./reach.ts";
export { RedirectGuard } from "./redirect-guard.ts";
export { repositoryOf } from "./repository.ts";
export { cleanScratch, makeScratch, type Scratch } from "./scratch.ts";
export { type SandboxStart, startInSandbox } from "./start.ts";
export { TrustedDirectories } from "./trusted.ts";
