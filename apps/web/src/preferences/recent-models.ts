// The models that were chosen last in this browser, the newest first.
import * as z from "zod/mini";

const key = "patchbay.models";
const kept = 5;

/** Each as `provider/model`. */
export function recentModels(): readonly string[] {
  try {
    const read = z.array(z.string()).safeParse(JSON.parse(localStorage.getItem(key) ?? "[]"));
    return read.success ? read.data.slice(0, kept) : [];
  } catch {
    return []; // not readable, or storage is forbidden here
  }
}

export function rememberModel(model: string): void {
  try {
    const others = recentModels().filter((known) => known !== model);
    localStorage.setItem(key, JSON.stringify([model, ...others].slice(0, kept)));
  } catch {
    // Storage is forbidden here.
  }
}
