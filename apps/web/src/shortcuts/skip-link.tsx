// The first thing that Tab reaches: past the list, to what the page is about.
import { uiTexts } from "../ui/texts.ts";
import { focusMain } from "./regions.ts";

export const SkipLink = () => (
  <a
    href="#main"
    onClick={(event) => {
      event.preventDefault();
      focusMain();
    }}
    className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-fill px-3 py-1.5 text-sm font-medium text-on-fill focus:translate-y-0"
  >
    {uiTexts.skip}
  </a>
);
