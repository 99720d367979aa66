// A problem with how Patchbay was started. Its message is one sentence with the remedy.
export class StartError extends Error {
  override name = "StartError";
}
