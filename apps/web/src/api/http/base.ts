// The path below which this page and its server are: "" or, behind a reverse proxy, a path like "/patchbay". The server writes it
// into the page.
const written = typeof document === "undefined" ? null : document.querySelector("base")?.getAttribute("href");
export const base = (written ?? "/").replace(/\/$/, "");
