// Completion of directories on the server.
import { DirectoryList } from "@patchbay/protocol";
import { call } from "./http/call.ts";

export const completeDirectory = (path: string): Promise<DirectoryList> =>
  call(`/api/directories?path=${encodeURIComponent(path)}`, DirectoryList);
