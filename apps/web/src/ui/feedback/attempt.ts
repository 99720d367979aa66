// Handles the promise of an action that was started from a list or the palette, where there is no place for an error.
import { errorMessage } from "../../format/error-message.ts";
import { showProblem } from "./problem.ts";

export const attempt = (what: Promise<unknown>): void => {
  what.catch((error: unknown) => showProblem(errorMessage(error)));
};
