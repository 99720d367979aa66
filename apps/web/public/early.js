// Runs before the page's own module, which is still being loaded: a file of its own, because the content security
// policy forbids inline scripts. It sets the theme before the first paint, takes a login code out of the address, and
// requests what the first screen shows, so that the responses arrive while the module is loaded; src/api/http/early-requests.ts
// takes them over.
try {
  const stored = localStorage.getItem("patchbay.theme");
  const dark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
} catch {
  document.documentElement.dataset.theme = "dark"; // storage is forbidden here: any theme will do
}

{
  const base = (document.querySelector("base")?.getAttribute("href") ?? "/").replace(/\/$/, "");
  const path = "/api/sessions";
  const link = takeLoginLink();
  const secret = pageSecret();
  window.patchbayEarly = { answers: {}, socket: null, ...link };
  // With a code or an invitation nothing is requested yet: the module logs in first.
  if (link.code === null && link.invitation === null) {
    const answer = fetch(base + path, {
      credentials: "same-origin",
      headers: secret === null ? {} : { "x-patchbay-page": secret },
      signal: AbortSignal.timeout(30_000),
    });
    answer.catch(() => {}); // the page tries again
    window.patchbayEarly.answers[path] = answer;
    const id = /^\/sessions\/([^/]+)(?:\/files)?\/?$/.exec(location.pathname.slice(base.length))?.[1];
    if (id !== undefined) window.patchbayEarly.socket = attach(id);
  }

  // A login link that is opened in a tab with this page changes only the part after #, which loads nothing by itself.
  addEventListener("hashchange", () => /^#(code|invitation)=/.test(location.hash) && location.reload());

  /** Both at once: what logs in must not stay in the address bar, and neither in what is shared from it. */
  function takeLoginLink() {
    const url = new URL(location.href);
    const [, kind, given] = /^#(code|invitation)=([\w-]+)$/.exec(url.hash) ?? [];
    const [code, invitation] = [kind === "code" ? given : null, kind === "invitation" ? given : null];
    const oldLink = url.searchParams.has("token");
    if (kind) url.hash = "";
    if (oldLink) url.searchParams.delete("token");
    if (kind || oldLink) history.replaceState(history.state, "", url.href.replace(/#$/, ""));
    return { code, invitation, oldLink };
  }

  /** The same as in src/api/page-secret.ts; null where nothing can be stored. */
  function pageSecret() {
    try {
      return localStorage.getItem(`patchbay.login${base}`);
    } catch {
      return null;
    }
  }

  function attach(session) {
    const viewer = viewerKey();
    if (viewer === null || secret === null) return null;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}${base}/api/sessions/${session}/socket?viewer=${viewer}&deltas=merged`;
    const socket = new WebSocket(address, ["patchbay", `patchbay.${secret}`]);
    const early = { session: decodeURIComponent(session), address, socket, texts: [], closed: null };
    early.answered = new Promise((resolve) => {
      socket.onmessage = ({ data }) => resolve(early.texts.push(data));
      socket.onclose = (event) => resolve((early.closed = event));
    });
    return early;
  }

  /** The same as in src/connection/viewer-key.ts; null where nothing can be stored. */
  function viewerKey() {
    try {
      const known = sessionStorage.getItem("patchbay.viewer");
      if (known !== null) return known;
      const bytes = crypto.getRandomValues(new Uint8Array(12));
      const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      sessionStorage.setItem("patchbay.viewer", made);
      return made;
    } catch {
      return null;
    }
  }
}
