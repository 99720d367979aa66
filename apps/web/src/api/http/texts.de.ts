import { type ErrorCode, errorTable } from "@patchbay/protocol";

const byCode: Readonly<Record<ErrorCode, string>> = {
  bad_request: "Ungültige Anfrage.",
  unknown_worker: "Es gibt keinen Agenten mit diesem Namen.",
  worker_unavailable: "Dieser Agent kann hier nicht gestartet werden.",
  bad_directory: "Dieses Verzeichnis gibt es nicht, oder es kann nicht benutzt werden.",
  not_logged_in:
    "Bitte zuerst anmelden: „patchbay login“ auf dem Server ausführen und den ausgegebenen Link öffnen.",
  code_needed: "Bitte einen Code der Authenticator-App eingeben.",
  login_ended: "Die Anmeldung auf diesem Gerät ist beendet. Bitte erneut anmelden.",
  forbidden: "Anfragen von diesem Host oder dieser Herkunft sind nicht erlaubt.",
  no_such_session: "Diese Sitzung gibt es nicht.",
  key_reused:
    "Dieser Idempotency-Key wurde schon mit anderem Inhalt benutzt. Bitte einen neuen verwenden oder den Aufruf genau wiederholen.",
  budget_used_up: "Ein Budget ist aufgebraucht.",
  no_such_turn:
    "Diesen Turn gibt es nicht. Nur Turns, die über HTTP begonnen wurden, haben eine Adresse, die neuesten 1.000 einer Sitzung.",
  queue_full:
    "Die Warteschlange dieser Sitzung ist voll. Bitte warten, bis ein Turn endet, dann erneut versuchen.",
  not_found: "Unter dieser Adresse wurde nichts gefunden.",
  too_slow:
    "Die Verbindung ist zu langsam. Bitte mit der Nummer des zuletzt empfangenen Frames neu verbinden.",
  read_only: "Das ist in der Konfigurationsdatei festgelegt. Dort ändern und Patchbay neu starten.",
  link_ended: "Dieser Link gilt nicht mehr. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.",
  session_deleted: "Die Sitzung wurde gelöscht.",
  too_large: "Die Zeile oder der Inhalt ist zu lang.",
  too_many: "Zu viele Anfragen. Kurz warten, dann erneut versuchen.",
  internal: "In Patchbay ist etwas schiefgegangen. Einzelheiten stehen im Log des Servers.",
  going_away: "Der Server wird gerade beendet.",
};

const germanOf = (code: string): string | undefined =>
  Object.entries(byCode).find(([known]) => known === code)?.[1];

/** By the sentence that the server writes. */
export const errorGerman: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(errorTable).map(([code, { sentence }]) => [sentence, germanOf(code) ?? sentence]),
);
