// The sentences of the protocol's table of errors in other languages, by the English sentence. In English there are none.
import { defineTexts } from "../../language/catalogue.ts";

const english: Readonly<Record<string, string>> = {};

export const errorTexts = defineTexts("api/http", english);
