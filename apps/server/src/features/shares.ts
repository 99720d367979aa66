import { FailedLogins } from "../access/failures.ts";
import { shareRoutes } from "../http/shares/share-routes.ts";
import { visitorRoutes } from "../http/shares/visitor-routes.ts";
import { Shares } from "../shares/shares.ts";
import { feature } from "./feature.ts";

/** Links by which people without an account read a session. */
export const sharesFeature = feature({
  name: "shares",
  needs: ["config", "log", "store", "hub", "access", "http", "webRoot"],
  adds: [
    "GET /api/sessions/:id/shares",
    "POST /api/sessions/:id/shares",
    "POST /api/sessions/:id/shares/preview",
    "GET /api/sessions/:id/shares/:share/preview",
    "DELETE /api/sessions/:id/shares/:share",
    "GET /api/shared/:share",
    "GET /shared/:share",
  ],
  async start({ config, log, store, hub, access, http, webRoot }) {
    const shares = await Shares.open({ store: store.shares, hub, people: access.people, log });
    const failures = new FailedLogins(config.limits.failed_logins_per_minute, (address) =>
      log.warn({ address }, "too many wrong share links: this address is blocked for a while"),
    );
    shareRoutes(http, shares);
    visitorRoutes(http, { shares, failures, webRoot, base: config.basePath });
    return { loaded: () => shares.removeOld() };
  },
});
