// Removes the base path of a reverse proxy from an address. Some proxies remove it themselves and some do not.

export function withoutBase(url: string, base: string): string {
  if (base === "" || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url; // "/patchbayer" is another path
}
