import { plural } from "../format/plural.ts";
import type { Translation } from "../language/catalogue.ts";
import type { peopleTexts } from "./texts.ts";

export const peopleGerman: Translation<typeof peopleTexts> = {
  tab: "Personen",
  accountTab: "Mein Konto",

  people: "Personen",
  peopleNote: "Alle, die sich hier anmelden können.",
  inviteTeam: "Team einladen",
  firstNote:
    "Bisher wird dieses Patchbay von einer Person verwendet. Mit der ersten Einladung wird sie Admin. Vorhandene Sitzungen bleiben ihre und sind privat, bis sie geteilt werden.",
  you: "Ich",
  change: (name) => `${name} ändern`,
  edit: "Bearbeiten",
  close: "Schließen",
  save: "Speichern",
  roleName: (role) => ({ guest: "Gast", member: "Mitglied", admin: "Admin" })[role],
  roleNote: (role) =>
    ({
      guest: "Arbeitet nur in Sitzungen, die andere teilen.",
      member: "Startet Sitzungen und sieht, was mit dem Team geteilt ist.",
      admin: "Verwaltet auch Personen, Schlüssel und Budgets.",
    })[role],
  stateName: (state) =>
    ({ invited: "eingeladen, noch nicht angemeldet", active: "aktiv", disabled: "gesperrt" })[state],
  role: "Rolle",
  name: "Vollständiger Name",
  handle: "Anmeldename",
  invite: "Einladen",
  needsName: "Namen und Anmeldenamen eingeben.",
  inviteQr: (name) => `QR-Code der Einladung für ${name}`,
  sendLink: (name) => `Diesen Link an ${name} senden`,
  linkNote:
    "Er funktioniert einmal, innerhalb von 7 Tagen. Damit wird ein Passwort gewählt. Er wird nicht noch einmal angezeigt.",
  onlyThisMachine:
    "Diese Adresse funktioniert nur auf diesem Rechner. Patchbay unter der Adresse des Teams öffnen, um einen passenden Link zu bekommen.",
  copyLink: "Link kopieren",
  newLink: "Neuer Link",
  reset: "Zurücksetzen",
  resetTitle: (name) => `Anmeldung von ${name} zurücksetzen?`,
  resetNote:
    "Das Passwort gilt nicht mehr, alle Geräte werden abgemeldet, und die Tokens enden. Dafür gibt es einen neuen Link. Die Sitzungen bleiben.",
  enable: "Entsperren",
  disable: "Sperren",
  disableTitle: (name) => `${name} sperren?`,
  disableNote:
    "Alle Geräte werden abgemeldet, die Tokens enden, und die Agenten der Sitzungen halten an. Sitzungen und Kosten bleiben erhalten. Entsperren ist jederzeit möglich.",

  groups: "Gruppen",
  groupsNote: "Eine Sitzung mit einer Gruppe teilen gibt allen Mitgliedern dasselbe Recht.",
  emptyGroup: "Noch keine Mitglieder",
  groupName: "Name der Gruppe",
  addGroup: "Gruppe anlegen",
  removeGroup: "Gruppe löschen",
  removeGroupTitle: (name) => `Gruppe ${name} löschen?`,
  removeGroupNote: "Was mit der Gruppe geteilt war, ist mit ihren Mitgliedern nicht mehr geteilt.",

  nameNote: "So erscheint der Name bei anderen.",
  password: "Passwort",
  passwordNote: "Ein neues Passwort meldet die anderen Geräte ab.",
  noPassword: (handle) => `Mit einem Passwort ist die Anmeldung als ${handle} ohne Anmeldelink möglich.`,
  oldPassword: "Bisheriges Passwort",
  newPassword: "Neues Passwort",
  short: (count) => `Mindestens ${count} Zeichen verwenden.`,
  changePassword: "Passwort ändern",
  setPassword: "Passwort setzen",
  passwordChanged: "Passwort gespeichert.",

  authenticator: "Authenticator-App",
  authenticatorNote: "Nach dem Passwort einen Code einer App auf dem Handy verlangen.",
  authenticatorOn: "Das Passwort braucht auch einen Code der App.",
  addAuthenticator: "App einrichten",
  removeAuthenticator: "App entfernen",
  authenticatorQr: "QR-Code für eine Authenticator-App",
  scanAuthenticator:
    "Mit der Authenticator-App scannen oder den Schlüssel darunter eingeben. Dann den angezeigten Code eingeben.",
  copyKey: "Schlüssel kopieren",
  code: "Code",
  confirm: "Bestätigen",
  keepRecovery:
    "Diese Wiederherstellungscodes aufbewahren. Jeder ersetzt die App einmal. Sie werden nicht noch einmal angezeigt.",
  copyRecovery: "Wiederherstellungscodes kopieren",

  tokens: "Zugriffstokens",
  tokensNote: "Für eigene Programme. Ein Token darf, was die Person darf, soweit seine Bereiche reichen.",
  copyToken: "Dieses Token jetzt kopieren. Es wird nicht noch einmal angezeigt.",
  copyTokenButton: "Token kopieren",
  neverUsed: "nie verwendet",
  lastUsed: (ago) => `zuletzt verwendet vor ${ago}`,
  neverExpires: "läuft nicht ab",
  expires: (when) => `läuft ab: ${when}`,
  revoke: "Widerrufen",
  revokeToken: (name) => `${name} widerrufen`,
  tokenName: "Name des Tokens",
  tokenNameNote: "Wofür es ist.",
  expiry: "Läuft ab",
  days: (count) => `in ${count} Tagen`,
  never: "Nie",
  scopes: "Bereiche",
  scopeNote: (scope) =>
    ({
      read: "Sitzungen und Kosten",
      drive: "starten, schreiben und anhalten",
      approve: "erlauben, worum Agenten bitten",
      admin: "Personen und Server verwalten",
    })[scope],
  createToken: "Token erstellen",

  pair: "Handy anmelden",
  pairQr: "QR-Code, der ein Handy anmeldet",
  pairTitle: "Mit dem Handy scannen",
  pairNote: "Meldet das Handy unter dem eigenen Konto an. Funktioniert einmal, zwei Minuten lang.",

  share: "Teilen",
  shareTitle: "Diese Sitzung teilen",
  shareNote:
    "Wer in ihr arbeitet, arbeitet mit den Verzeichnissen, Schlüsseln und Budgets der Person, der sie gehört.",
  team: "Alle im Team",
  teamNote: "Ohne Gäste.",
  none: "Kein Zugriff",
  rightName: (right) =>
    ({
      watch: "Darf zusehen",
      drive: "Darf steuern",
      approve: "Darf steuern und erlauben",
      own: "Eigene",
    })[right],
  rightNote: (right) =>
    ({
      watch: "Den Verlauf lesen.",
      drive: "Auch schreiben, lenken, einreihen und anhalten.",
      approve: "Auch erlauben, worum der Agent bittet.",
      own: "Alles, auch teilen und löschen.",
    })[right],
  addTo: "Teilen mit",
  choose: "Person oder Gruppe wählen",
  remove: (name) => `Nicht mehr mit ${name} teilen`,
  rightOf: (name) => `Recht von ${name}`,
  nobodyElse: "Niemand sonst sieht diese Sitzung.",
  onlyOwner: (name) => `Nur ${name} kann sie teilen, weil die Sitzung dieser Person gehört.`,
  gone: "Nicht mehr vorhanden",
  watching: (owner) => `Nur Zusehen. ${owner} kann das Steuern erlauben.`,
  theOwner: "Die Person, der die Sitzung gehört,",
  sessionOf: (owner) => `Sitzung von ${owner}`,
  shared: "Geteilt",
  sharedWith: (count) => `Geteilt mit ${plural(count, "Person oder Gruppe", "Personen oder Gruppen")}`,
  teamWatches: "Das Team darf zusehen",
  teamDrives: "Das Team darf steuern",
  mayNotAllow: (owner) => `Ablehnen ist möglich. Erlauben dürfen nur ${owner} und dafür benannte Personen.`,
};
