import type { Translation } from "../language/catalogue.ts";
import type { setupTexts } from "./texts.ts";

const models = (count: number): string => (count === 1 ? "1 Modell" : `${count} Modelle`);

export const setupGerman: Translation<typeof setupTexts> = {
  title: "Agenten und Modelle",
  refresh: "Aktualisieren",
  loading: "Agenten werden gesucht",

  providers: "Modellanbieter",
  providersNote:
    "Schlüssel für den integrierten Agenten. Sie werden verschlüsselt auf dem Server gespeichert und gelten sofort, ohne Neustart.",
  addKey: "Schlüssel hinzufügen",
  addServer: "Server hinzufügen",
  edit: "Bearbeiten",
  actionLabel: (action, provider) => `${action}: ${provider}`,
  test: "Testen",
  testing: "Wird getestet …",
  remove: "Entfernen",
  noKey: "Noch kein Schlüssel.",
  noServer: "Noch kein Server.",
  keyEnding: (ending) => `Schlüssel ••••${ending}`,
  keySaved: "Schlüssel hier gespeichert",
  keyFrom: (variable) => `Schlüssel aus ${variable}`,
  urlFrom: (url, variable) => `${url} aus ${variable}`,
  models,
  noModels: "keine Modelle gelistet",
  unused: (variables) =>
    `Gilt anstelle von ${variables} in der Umgebung des Servers. Hier entfernen, um wieder die Umgebung zu verwenden.`,
  fromEnvironment: "In der Umgebung des Servers gesetzt. Ein hier hinzugefügter Schlüssel hat Vorrang.",
  shared: (agents) => `Wird auch von ${agents} verwendet.`,

  key: "API-Schlüssel",
  keyKept: (ending) => `Leer lassen, um ••••${ending} zu behalten`,
  keyKeptHidden: "Leer lassen, um den gespeicherten Schlüssel zu behalten",
  keyOptional: "API-Schlüssel (optional)",
  getKey: "Schlüssel erstellen",
  show: "Anzeigen",
  hide: "Verbergen",
  baseUrl: "Basis-URL",
  baseUrlOptional: "Basis-URL (optional)",
  baseUrlHint:
    "Nur für ein Gateway oder einen Proxy. Nach einer Änderung muss der Schlüssel neu eingegeben werden.",
  baseUrlServerHint: "Zum Beispiel http://127.0.0.1:8000/v1",
  baseUrlOllamaHint: "Zum Beispiel http://127.0.0.1:11434",
  share: (agents) => `Diesen Schlüssel auch an ${agents} weitergeben`,
  shareNote:
    "Diese Agenten lesen dieselbe Umgebungsvariable. Haben sie eine eigene Anmeldung, kann der Schlüssel sie ersetzen.",
  save: "Speichern",
  saving: "Wird gespeichert …",
  cancel: "Abbrechen",
  nothingEntered: "Schlüssel eingeben.",
  nothingEnteredServer: "Basis-URL des Servers eingeben.",
  oldKeys: (count) =>
    count === 1
      ? "1 laufende Sitzung verwendet dies, sobald ihr Agent neu startet."
      : `${count} laufende Sitzungen verwenden dies, sobald ihr Agent neu startet.`,
  removeTitle: (provider) => `Schlüssel für ${provider} entfernen?`,
  removeText:
    "Der Schlüssel wird auf dem Server gelöscht. Sitzungen mit diesem Anbieter können ohne ihn nicht fortgesetzt werden.",
  removeTextEnvironment: (variable) =>
    `Der Schlüssel wird auf dem Server gelöscht. Danach gilt wieder ${variable}.`,

  works: (host) => `Funktioniert: ${host} hat den Schlüssel akzeptiert.`,
  worksWithout: (host, count) => `Funktioniert: ${host} bietet ${models(count)}.`,
  unchecked: (host, status) =>
    `${host} antwortet, hat aber keine Modellliste (${status}). Der Schlüssel konnte nicht geprüft werden.`,
  refused: (host, status) => `Abgelehnt: ${host} hat den Schlüssel nicht akzeptiert (${status}).`,
  failed: (host, status) => `${host} antwortet mit einem Fehler (${status}). Später erneut versuchen.`,
  unreachable: (host) =>
    `Nicht erreichbar: ${host} antwortet nicht. Basis-URL und Netzwerk des Servers prüfen.`,
  slow: (host) => `${host} hat innerhalb von 10 Sekunden nicht geantwortet.`,
  strange: (host) => `${host} antwortet, aber nicht wie ein Modellanbieter. Basis-URL prüfen.`,

  agents: "Agenten",
  agentsMissing: "Weitere Agenten",
  agentsMissingNote: "Auf dem Rechner des Servers installieren und dann aktualisieren. Kein Neustart nötig.",
  isDefault: "Standard",
  start: "Sitzung starten",
  starting: "Startet …",
  copy: (text) => `${text} kopieren`,
  signIn: "Anmelden mit",
  signInThen: (command) => `, dann ${command}`,
  signInChoose: ", dann die Art der Anmeldung wählen",
  otherAgents: "Jeder andere Agent mit einem dieser Protokolle lässt sich hier eintragen:",
  otherAgentsDocs: "Siehe docs/operations.md.",

  builtinWhat: "Bei Patchbay dabei. Arbeitet mit jedem Modellanbieter oben oder mit der Offline-Demo.",
  zotWhat: "Ein kleiner, in Go geschriebener Agent.",
  piWhat: "Der Coding-Agent pi mit eigenen Erweiterungen und Modellen.",
  ompWhat: "pi mit Subagenten, LSP und Browser.",
  zeroclawWhat: "Ein Daemon, der bereits läuft; Patchbay verbindet sich mit seinem Socket.",
  geminiWhat: "Der Agent von Google, über ACP.",
  opencodeWhat: "Ein quelloffener Agent für viele Modelle, über ACP.",
  claudeWhat: "Der Agent von Anthropic, über ACP.",
  codexWhat: "Der Agent von OpenAI, über ACP.",
  gooseWhat: "Der Agent von Block, über ACP.",
  acpWhat: "Spricht ACP. Was mit ihm ausprobiert wurde, steht in docs/agents.md.",
  configuredWhat: (dialect) => `Aus der Konfigurationsdatei (${dialect}).`,
};
