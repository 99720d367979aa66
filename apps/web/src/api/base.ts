// Where this page and its server live: "" or, behind a reverse proxy, a path like "/patchbay". The server writes it
// into the page.
export const base = (document.querySelector("base")?.getAttribute("href") ?? "/").replace(/\/$/, "");
