// What index.html preloads besides its own module: the fonts of the first screen (without them everything is laid out
// twice) and the chunk that shows an answer.
import type { HtmlTagDescriptor, Plugin } from "vite";

/** Parts of names, because builds add a hash to them. */
const fonts = ["inter-latin-wght-normal", "jetbrains-mono-latin-wght-normal"];
const modules = ["streamed-markdown"];

/**
 * Without these groups, what the first module shares with later chunks becomes ten small files, each with its own
 * request. One group has what every chunk needs, one has what shows an answer.
 */
export const firstGroups = [
  {
    name: "first",
    test: new RegExp(
      [
        "rolldown.runtime|vite.preload-helper",
        "node_modules/(react|react-dom|scheduler|zod|zustand|wouter|regexparam|use-sync-external-store)/",
        "lucide-react/dist/esm/(?!icons/)",
        "lucide-react/dist/esm/icons/(chevron-down|chevron-right|copy)\\.",
        "packages/protocol/src/(?!api/(accounts|keys|errors|directories|safety)\\.|people/(audit|person\\.|right-in)|shares/|approvals/(approval|shell-words)|costs/(agent-plan|alert|cost-settings|reconciliation))",
        "apps/web/src/(code|transcript|costs|costs/data)/texts\\.ts",
        "apps/web/src/(session-list/(?!texts\\.de)|api/(http/(base|access|call|download|early-requests|last-seen|page-secret|retry-delay|server-sentence|texts\\.ts)|logins|messages|sessions|texts\\.ts)|preferences/(preferences|send-key)|ui/(texts\\.ts|feedback/(copy-|problem\\.)|lazy-popup|menu/menu-kit)|navigation/(session|message|files)-address|format/(?!texts\\.de)|language/|device/(next-picture|is-phone)|connection/(?!texts\\.de)|code/(file-links|find-paths|language\\.|terminal/whole-output))",
      ].join("|"),
    ),
  },
  {
    name: "streamed-markdown",
    test: /node_modules\/(marked|remend)\/|apps\/web\/src\/(transcript\/markdown\/|code\/(highlight\/highlight\.|code-block))/,
  },
];

/**
 * Most of what is loaded first also runs first. With this hint Chromium compiles it whole on another thread while it
 * arrives, instead of function by function on the page's own when each is first called. Other browsers ignore it.
 */
const compileHint = "//# allFunctionsCalledOnLoad\n";
const hinted = ["index", "first", "streamed-markdown"];

export const firstLoad = (): Plugin => ({
  name: "patchbay-first-load",
  apply: "build",
  generateBundle: {
    order: "post", // it has to be the first line, and vite puts lines before that of a banner
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && hinted.includes(chunk.name)) chunk.code = compileHint + chunk.code;
    },
  },
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const find = (name: string, ending: string): string => {
        const found = Object.keys(bundle).filter(
          (file) => file.startsWith(`assets/${name}-`) && file.endsWith(ending),
        );
        if (found.length !== 1) throw new Error(`The build has ${found.length} files ${name}*${ending}`);
        return `./${found[0] ?? ""}`;
      };
      const tag = (attrs: HtmlTagDescriptor["attrs"]): HtmlTagDescriptor => ({
        tag: "link",
        attrs: { ...attrs, crossorigin: true },
        injectTo: "head",
      });
      return [
        ...modules.map((name) => tag({ rel: "modulepreload", href: find(name, ".js") })),
        ...fonts.map((name) =>
          tag({ rel: "preload", as: "font", type: "font/woff2", href: find(name, ".woff2") }),
        ),
      ];
    },
  },
});
