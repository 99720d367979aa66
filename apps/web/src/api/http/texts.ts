// The sentences of the protocol's table of errors, by code. In English they are the table's own, so that they are loaded once.
import { errorTable } from "@patchbay/protocol";
import { defineTexts } from "../../language/catalogue.ts";

const english: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(errorTable).map(([code, { sentence }]) => [code, sentence]),
);

export const errorTexts = defineTexts("api/http", english);
