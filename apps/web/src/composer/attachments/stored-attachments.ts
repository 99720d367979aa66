// Attachments of what is written and not sent, per session. In IndexedDB, because pictures are too large for the
// storage that holds the text.
import { PromptImage } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type Attachments, noAttachments } from "./attachments.ts";

const Kept = z.object({
  images: z.array(PromptImage),
  texts: z.array(z.object({ name: z.string(), text: z.string() })),
});

const storeName = "attachments";
let database: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("patchbay", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no storage"));
  });
  return database;
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const request = act((await open()).transaction(storeName, mode).objectStore(storeName));
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no storage"));
  });
}

/** Where the browser keeps nothing (a private window), they last as long as the page. */
export async function loadAttachments(session: string): Promise<Attachments> {
  try {
    const read = Kept.safeParse(await inStore<unknown>("readonly", (store) => store.get(session)));
    return read.success ? read.data : noAttachments;
  } catch {
    return noAttachments;
  }
}

export async function keepAttachments(session: string, attachments: Attachments): Promise<void> {
  const empty = attachments.images.length + attachments.texts.length === 0;
  try {
    if (empty) await inStore("readwrite", (store) => store.delete(session));
    else await inStore("readwrite", (store) => store.put({ ...attachments }, session));
  } catch {
    // As above.
  }
}
