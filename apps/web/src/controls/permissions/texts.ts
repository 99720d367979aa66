import { defineTexts } from "../../language/catalogue.ts";

export const permissionsTexts = defineTexts("controls/permissions", { open: "Standing permissions…" });
