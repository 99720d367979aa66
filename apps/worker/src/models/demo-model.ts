// The demo model's entry in the catalog. It is in a file of its own so that the catalog of real models
// need not load with the demo, nor the demo with the catalog.

export const demoModel = {
  id: "offline-demo",
  contextWindow: 32_000,
  maxOutput: 4_096,
} as const;
