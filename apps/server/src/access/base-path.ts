// Behind a reverse proxy this server may be shown below a path. Some proxies take the path off before they ask
// and some do not; both are understood.

export function withoutBase(url: string, base: string): string {
  if (base === "" || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url; // "/patchbayer" is somebody else
}
