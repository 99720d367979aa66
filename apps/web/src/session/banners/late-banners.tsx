// The banners that few sessions have. A chunk of its own: the first picture of a session does not wait for them.
import type { SessionInfo } from "@patchbay/protocol";
import { BranchBanner } from "./branch-banner.tsx";
import { DeletingBanner } from "./deleting-banner.tsx";

export default function LateBanners({ session }: { session: SessionInfo }) {
  return (
    <>
      <DeletingBanner session={session} />
      <BranchBanner />
    </>
  );
}
