// What the costs page shows, as an address: range, stacking and filters. Every view can be shared by its address.
export const stacks = ["model", "cwd", "person", "worker"] as const;
type Stack = (typeof stacks)[number];

export const dimensions = ["model", "cwd", "person", "worker", "branch", "provider", "session"] as const;
export type Dimension = (typeof dimensions)[number];
export type Where = Partial<Record<Dimension, string>>;

export const presets = ["today", "7d", "30d"] as const;
type Preset = (typeof presets)[number];
/** Whole days of the viewer's calendar, both included. */
export type DateRange = { kind: Preset } | { kind: "custom"; from: string; to: string };

export interface View {
  range: DateRange;
  stack: Stack;
  where: Where;
}

const usual: Preset = "30d";

export function readView(search: string): View {
  const given = new URLSearchParams(search);
  const where: Where = {};
  for (const name of dimensions) {
    const value = given.get(name);
    if (value !== null) where[name] = value;
  }
  return { range: readRange(given), stack: oneOf(stacks, given.get("by")) ?? "model", where };
}

function readRange(given: URLSearchParams): DateRange {
  const [from, to] = [given.get("from"), given.get("to")];
  if (from !== null && to !== null && isDate(from) && isDate(to)) {
    return from <= to ? { kind: "custom", from, to } : { kind: "custom", from: to, to: from };
  }
  return { kind: oneOf(presets, given.get("range")) ?? usual };
}

/** Empty for the usual view: its address is just /costs. */
export function writeView({ range, stack, where }: View): string {
  const query = new URLSearchParams();
  if (range.kind === "custom") {
    query.set("from", range.from);
    query.set("to", range.to);
  } else if (range.kind !== usual) query.set("range", range.kind);
  if (stack !== "model") query.set("by", stack);
  for (const name of dimensions) {
    const value = where[name];
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** The filter set, or taken away when it was set to this already. */
export function toggled(where: Where, name: Dimension, value: string): Where {
  const { [name]: current, ...rest } = where;
  return current === value ? rest : { ...rest, [name]: value };
}

export function without(where: Where, name: Dimension): Where {
  const { [name]: _dropped, ...rest } = where;
  return rest;
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((each) => each === text);
