// `${NAME}` and `${NAME:-default}` in a config file. Only variables that are meant for it can be named:
// a project's file must not be able to send the keys of models somewhere.

export type Variables = Readonly<Record<string, string>>;

const place = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Throws a sentence that names a variable that is not there. */
export function expand(text: string, variables: Variables): string {
  return text.replace(place, (_all, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    throw new Error(
      `the variable ${name} is not set, or not for MCP servers; name it MCP_… in the server's environment, or write \${${name}:-default}`,
    );
  });
}
