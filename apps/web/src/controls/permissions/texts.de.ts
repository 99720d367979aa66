import type { Translation } from "../../language/catalogue.ts";
import type { permissionsTexts } from "./texts.ts";

export const permissionsGerman: Translation<typeof permissionsTexts> = { open: "Dauerhafte Freigaben …" };
