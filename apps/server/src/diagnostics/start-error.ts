// A problem with how Patchbay was started; its message is the one sentence that tells what to do.
export class StartError extends Error {
  override name = "StartError";
}
