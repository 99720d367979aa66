// Before any test: build worker, server and page if their sources changed, so that tests run what
// `npm start` would run.
export default async function setup(): Promise<void> {
  const { buildAll } = (await import("../../scripts/build.mjs" as string)) as { buildAll(): Promise<void> };
  await buildAll();
}
