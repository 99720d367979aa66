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
  submitLink: "Link oder Token verwenden",
  handle: "Name",
  password: "Passwort",
  code: "Code der Authenticator-App",
  forgot: "Vergessen? Ein Admin kann einen neuen Link schicken.",
  wrongPassword: "Name oder Passwort ist falsch.",
  emptyPassword: "Name und Passwort eingeben.",
  hintTeam: "Von einem Admin oder von einem anderen eigenen Gerät.",
  wrongTeamLink:
    "Dieser Anmeldelink wurde schon verwendet oder ist abgelaufen. Mit dem Passwort anmelden oder einen neuen Link holen.",

  badInvitation: "Diese Einladung kann nicht verwendet werden",
  toLogin: "Zur Anmeldung",
  welcome: (name) => `Willkommen, ${name}`,
  choose: "Ein Passwort wählen. Damit und mit dem Namen wird ab jetzt angemeldet.",
  handleNote: "Mit diesem Namen wird angemeldet.",
  newPassword: "Passwort",
  short: (count) => `Mindestens ${count} Zeichen verwenden.`,
  join: "Passwort setzen und anmelden",
  waits: "Wird angemeldet …",
  tabTitle: "Anmelden · Patchbay",
};
