// Reads the targets of events and spans from the config file and the environment. The config file names secrets and does not contain
// them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../diagnostics/error-code.ts";
import { StartError } from "../diagnostics/start-error.ts";

export const webhookEvents = [
  "turn.done",
  "turn.failed",
  "turn.stopped",
  "session.needs_you",
  "budget.warning",
  "budget.exceeded",
  "cost.alert",
  "cost.report",
  "audit.entry",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a webhook gets that names no events. The audit has to be asked for. */
export const usualEvents: readonly WebhookEvent[] = webhookEvents.filter((event) => event !== "audit.entry");

export interface Webhook {
  url: string;
  secret: string;
  events: readonly WebhookEvent[];
}

export interface OtlpTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Attributes of the resource; `service.name` among them. */
  resource: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An entry of the config file. */
interface WebhookEntry {
  url: string;
  events: WebhookEvent[];
  secret_env?: string | undefined;
  secret_file?: string | undefined;
}

export function readWebhooks(
  hooks: readonly WebhookEntry[],
  env: Environment,
  expand: (path: string) => string,
): Webhook[] {
  return hooks.map(({ url, events, secret_env, secret_file }, index) => {
    const which = `webhooks.${index} in patchbay.config.json`;
    if ((secret_env === undefined) === (secret_file === undefined))
      throw new StartError(`${which} needs secret_env or secret_file: deliveries are signed with a secret.`);
    const secret =
      secret_env !== undefined ? env[secret_env] : secretIn(resolve(expand(secret_file ?? "")), which);
    if (secret === undefined || secret === "")
      throw new StartError(`${which}: ${secret_env ?? secret_file} is empty. Set it to the secret.`);
    return { url, events, secret };
  });
}

function secretIn(path: string, which: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new StartError(`${which}: cannot read the secret in ${path} (${errorCode(error)}).`);
  }
}

/** Reads OpenTelemetry's variables. The endpoint of the config file is the fallback. */
export function readOtlp(endpoint: string | undefined, env: Environment): OtlpTarget | undefined {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none")
    return undefined;
  const whole = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || undefined;
  const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"] || endpoint;
  if (whole === undefined && base === undefined) return undefined;
  const url = whole ?? `${base?.replace(/\/+$/, "")}/v1/traces`;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new StartError(`The OTLP endpoint must be an http address, not "${whole ?? base}".`);
  const headers = env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? env["OTEL_EXPORTER_OTLP_HEADERS"];
  return {
    url,
    headers: pairs(headers),
    resource: {
      ...pairs(env["OTEL_RESOURCE_ATTRIBUTES"]),
      "service.name":
        env["OTEL_SERVICE_NAME"] || pairs(env["OTEL_RESOURCE_ATTRIBUTES"])["service.name"] || "patchbay",
    },
  };
}

/** `a=1,b=2`, percent-encoded. */
function pairs(text: string | undefined): Record<string, string> {
  const named = (text ?? "").split(",").flatMap((pair) => {
    const [name = "", ...rest] = pair.split("=");
    return name.trim() === "" ? [] : [[name.trim(), decoded(rest.join("=").trim())]];
  });
  return Object.fromEntries(named);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a single percent sign is literal
  }
}
