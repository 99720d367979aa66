// Before any test: build worker, server and page if their sources changed, so that tests run what
// `npm start` would run.
const build: string = "../../scripts/build.mjs"; // plain JavaScript, without types

export default async function setup(): Promise<void> {
  const { buildAll } = (await import(build)) as { buildAll(): Promise<void> };
  await buildAll();
}
