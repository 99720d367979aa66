// Owns what a person started from a list or a palette, where there is no place for what goes wrong.
import { errorMessage } from "../../format/error-message.ts";
import { complain } from "./problem.ts";

export const attempt = (what: Promise<unknown>): void => {
  what.catch((error: unknown) => complain(errorMessage(error)));
};
