import { PatchbayError } from "@patchbay/protocol";
import { AuditLog } from "../access/audit/audit-log.ts";
import { callEvent, commandDetail, isAudited, viaOf } from "../access/audit/audited.ts";
import { addressOf } from "../access/credentials.ts";
import { commandActions } from "../access/policy.ts";
import { auditRoutes } from "../http/audit.ts";
import { feature } from "./feature.ts";

/** Who did what, when and from where. A server without people has nobody to tell apart, and writes nothing. */
export const auditFeature = feature({
  name: "audit",
  needs: ["config", "log", "store", "http", "access", "rights", "announcements", "localMethods", "onCommand"],
  adds: ["GET /api/audit", "GET /api/audit.jsonl", "GET /api/audit/check", "audit/check"],
  async start({ config, log, store, http, access, rights, announcements, localMethods, onCommand }) {
    const { retention_days: retentionDays, prompts } = config.audit;
    const audit = await AuditLog.open({
      ...{ store: store.audit, log, retentionDays },
      saved: (entry) => announcements.send({ type: "audit.entry", time: entry.time, data: { entry } }),
    });
    http.decorateRequest("auditDetail", null);
    http.decorateRequest("failure", null);
    http.addHook("onError", async (request, _reply, error) => {
      request.failure = error instanceof PatchbayError ? error.code : "error";
    });
    // Before the response is sent: what was answered is in the audit.
    http.addHook("onSend", async (request) => {
      const { action } = request.routeOptions.config;
      if (!access.people.isTeam || action === undefined || !isAudited(action)) return;
      // Calls without a login reach nothing, and a flood of them must not fill the audit.
      if (request.actor === null && (action !== "login.create" || request.failure === "too_many")) return;
      await audit.record({
        ...callEvent(request, action, request.failure ?? "ok"),
        address: addressOf(request),
      });
    });
    onCommand(({ actor, principal, address, session, command, refusal }) => {
      const detail = commandDetail(command, prompts === "text");
      if (actor.person === null || detail === null || !isAudited(commandActions[command.type])) return;
      audit.recordLater({
        ...{ person: actor.person.id, author: actor.author.label, via: viaOf(principal), address },
        ...{ action: commandActions[command.type], target: session, detail },
        result: refusal === null ? "ok" : refusal.code,
      });
    });
    auditRoutes(http, audit, rights);
    localMethods.set("audit/check", { action: "audit.read-all", call: () => audit.verify() });
    return { close: () => audit.close() };
  },
});
