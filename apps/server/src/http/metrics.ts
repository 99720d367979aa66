// Prometheus text: what runs, who looks, what was spent. Gathered when asked, so it costs nothing else.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Hub } from "../session/hub.ts";
import type { Store } from "../store/store.ts";

export function metricsRoute(app: FastifyInstance, hub: Hub, store: Store): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const sessions = gauge("patchbay_sessions", "Sessions by state.", ["state"]);
  const viewers = gauge("patchbay_viewers", "Attached viewers.");
  const frames = gauge("patchbay_frames", "Frames numbered in the sessions that exist now.");
  const cost = gauge("patchbay_cost_dollars", "What was spent, by provider and model.", [
    "provider",
    "model",
  ]);
  const tokens = gauge("patchbay_tokens", "Tokens by provider, model and kind.", [
    "provider",
    "model",
    "kind",
  ]);
  const unpriced = gauge("patchbay_unpriced_calls", "Model calls without a known price.", [
    "provider",
    "model",
  ]);

  const memory = gauge("patchbay_worker_memory_bytes", "Memory of each worker.", ["session", "worker"]);
  const cpu = gauge("patchbay_worker_cpu_percent", "Processor time of each worker, of one core.", [
    "session",
    "worker",
  ]);

  app.get("/metrics", async (_request, reply) => {
    const views = hub.views();
    sessions.reset();
    for (const view of views) sessions.inc({ state: view.state });
    memory.reset();
    cpu.reset();
    for (const { id, worker, resources } of views) {
      if (resources === undefined) continue;
      memory.set({ session: id, worker }, resources.memory_bytes);
      cpu.set({ session: id, worker }, resources.cpu_percent);
    }
    viewers.set(views.reduce((sum, view) => sum + view.viewers, 0));
    frames.set(views.reduce((sum, view) => sum + view.seq, 0));
    for (const { keys, usage } of await store.queryLedger({ groupBy: ["provider", "model"] })) {
      const labels = { provider: keys.provider ?? "", model: keys.model ?? "" };
      cost.set(labels, usage.cost_usd);
      unpriced.set(labels, usage.unpriced ?? 0);
      for (const kind of ["input", "output", "cache_read", "cache_write"] as const) {
        tokens.set({ ...labels, kind }, usage[kind]);
      }
    }
    return reply.header("content-type", registry.contentType).send(await registry.metrics());
  });
}
