// Loaded with the first session that has an owner: never without people.
import { lazyPart } from "../../ui/lazy-part.ts";

export const Sharing = lazyPart(() => import("./sharing-parts.tsx"));
