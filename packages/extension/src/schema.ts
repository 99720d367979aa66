// The type of a tool's arguments, read from its JSON Schema, so that schema and code cannot disagree.
// What this small part of JSON Schema does not say is `unknown`.

interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface ObjectSchema extends SchemaNode {
  readonly type: "object";
}

export type ArgsOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: "string" }
    ? string
    : S extends { readonly type: "number" | "integer" }
      ? number
      : S extends { readonly type: "boolean" }
        ? boolean
        : S extends { readonly type: "array"; readonly items: infer I }
          ? ArgsOf<I>[]
          : S extends { readonly properties: infer P }
            ? Fields<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
            : unknown;

type Fields<P, R> = { -readonly [K in keyof P as K extends R ? K : never]: ArgsOf<P[K]> } & {
  -readonly [K in keyof P as K extends R ? never : K]?: ArgsOf<P[K]>;
};
