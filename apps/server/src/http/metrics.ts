// Prometheus metrics: sessions, viewers, workers and costs. Collected on request only.
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { may } from "../access/policy.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { Store } from "../store/store.ts";
import { costMetrics } from "./costs/cost-metrics.ts";

/** The library measures delays with a timer, by default every 10 ms. An idle server should not wake up that often. */
const monitorMs = 60_000;
/** At that interval these metrics are meaningless. `nodejs_eventloop_lag_seconds` is measured on request, and stays. */
const lagMetrics = ["min", "max", "mean", "stddev", "p50", "p90", "p99"].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);

export function metricsRoute(app: FastifyInstance, hub: Hub, store: Store): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: monitorMs });
  for (const name of lagMetrics) registry.removeSingleMetric(name);
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const sessions = gauge("patchbay_sessions", "Sessions by state.", ["state"]);
  const viewers = gauge("patchbay_viewers", "Attached viewers.");
  const frames = gauge("patchbay_frames", "Frames numbered in the sessions that exist now.");
  const readCosts = costMetrics(registry, store, hub);
  const memory = gauge("patchbay_worker_memory_bytes", "Memory of each worker.", ["session", "worker"]);
  const cpu = gauge("patchbay_worker_cpu_percent", "Processor time of each worker, of one core.", [
    "session",
    "worker",
  ]);

  app.get("/metrics", may("metrics.read"), async (_request, reply) => {
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
    await readCosts();
    return reply.header("content-type", registry.contentType).send(await registry.metrics());
  });
}
