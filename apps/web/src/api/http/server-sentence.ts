// What the server says of an error, in the language of the page. The server writes English. A sentence of the protocol's table
// says nothing but its code, so the page has it in other languages; a more exact one is shown as it came.
import { errorTexts } from "./texts.ts";

export const serverSentence = (sentence: string): string => errorTexts[sentence] ?? sentence;
