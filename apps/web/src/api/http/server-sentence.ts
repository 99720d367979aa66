// What the server says of an error, in the language of the page. The server writes English. A sentence of the protocol's table
// says nothing but its code, so the page has it in each language; a more exact one is shown as it came.
import { errorTable } from "@patchbay/protocol";
import { errorTexts } from "./texts.ts";

export function serverSentence(sentence: string): string {
  const found = Object.entries(errorTable).find(([, kind]) => kind.sentence === sentence);
  return found === undefined ? sentence : (errorTexts[found[0]] ?? sentence);
}
