import type { Translation } from "../language/catalogue.ts";
import type { loginTexts } from "./texts.ts";

export const loginGerman: Translation<typeof loginTexts> = {
  title: "Anmelden",
  titleAgain: "Erneut anmelden",
  introAgain: "Dieses Gerät wurde abgemeldet. Agenten arbeiten weiter, und Entwürfe bleiben erhalten.",
  oldLink: "Links mit einem Token melden nicht mehr an. Einen neuen Link wie unten beschrieben anfordern.",
  run: "Auf dem Rechner, auf dem Patchbay läuft, eingeben:",
  copyCommand: "Befehl kopieren",
  open: "Dann den ausgegebenen Link öffnen. Er funktioniert einmal und eine Minute lang.",
  or: "oder",
  field: "Anmeldelink oder Token",
  hint: "Token anzeigen mit",
  empty: "Anmeldelink oder Token einfügen.",
  wrongToken: "Dieses Token ist falsch. „npx patchbay token“ zeigt das richtige an.",
  wrongLink:
    "Dieser Anmeldelink wurde schon verwendet oder ist abgelaufen. „npx patchbay login“ erzeugt einen neuen.",
  submit: "Anmelden",
  waits: "Wird angemeldet …",
  tabTitle: "Anmelden · Patchbay",
};
