// Owns what a person started from a list or a palette, where there is no place for what goes wrong.
import { inWords } from "../api/http/call.ts";
import { complain } from "../ui/complaints.ts";

export const attempt = (what: Promise<unknown>): void => {
  what.catch((error: unknown) => complain(inWords(error)));
};
