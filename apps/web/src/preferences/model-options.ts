// The models of an agent as a list to choose from: the recent ones first, then by provider, each with its price and context.
import { providerName } from "../format/agent-name.ts";
import { formatTexts } from "../format/texts.ts";
import { formatTokens } from "../format/tokens.ts";
import { recentModels } from "./recent-models.ts";

interface ListedModel {
  provider: string;
  id: string;
  /** In tokens; 0 or absent: unknown. */
  context_window?: number | undefined;
  /** Dollars per million tokens; absent: unknown. */
  price?: { input: number; output: number } | undefined;
}

interface ModelOption {
  value: string;
  label: string;
  detail: string;
  group: string;
  /** What it is also found by. */
  keywords: string;
}

export function modelOptions(models: readonly ListedModel[], recentTitle: string): ModelOption[] {
  const options = models.map((model) => optionOf(model, providerName(model.provider)));
  const known = new Map(options.map((option) => [option.value, option]));
  const recents = recentModels().flatMap((value) => known.get(value) ?? []);
  const providers = [...new Set(options.map(({ group }) => group))];
  return [
    // One provider and few models need no shortcuts.
    ...(models.length > 8 ? recents.map((option) => ({ ...option, group: recentTitle })) : []),
    ...providers.flatMap((provider) => options.filter(({ group }) => group === provider)),
  ];
}

const optionOf = ({ provider, id, context_window = 0, price }: ListedModel, group: string): ModelOption => ({
  value: `${provider}/${id}`,
  label: id,
  detail: [
    ...(price === undefined ? [] : [formatPrice(price)]),
    ...(context_window > 0 ? [formatTokens(context_window)] : []),
  ].join(" · "),
  group,
  keywords: `${provider} ${group}`,
});

/** Input and output, as `$3 / $15`. */
function formatPrice({ input, output }: { input: number; output: number }): string {
  if (input === 0 && output === 0) return formatTexts.free;
  return `${rate(input)} / ${rate(output)}`;
}

/** As the providers write it: $15, $1.25, $0.075. */
const rate = (dollars: number): string => `$${String(Math.round(dollars * 10_000) / 10_000)}`;
