// Places with keys, logins and private data. An agent does not see them, even where the session's directory holds them:
// people do start a session in their home. One list for the sandbox, the file tools and the files that are read for others.
import { realpathSync } from "node:fs";
import { join } from "node:path";

const keys = `.ssh .gnupg .aws .azure .kube .docker .oci .bluemix .config/gcloud .config/doctl .config/hcloud .config/flyctl .fly
  .config/gh .config/hub .config/glab-cli .config/git/credentials .git-credentials .netrc .authinfo .authinfo.gpg
  .npmrc .yarnrc .yarnrc.yml .config/pip .pip .pypirc .gem/credentials .bundle/config .cargo/credentials .cargo/credentials.toml
  .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json .config/composer/auth.json
  .nuget/NuGet .terraform.d .terraformrc .vault-token .pulumi .databrickscfg .snowflake .snowsql .dbt .pgpass .my.cnf .mylogin.cnf
  .boto .s3cfg .config/rclone .config/sops .config/age .age .config/op .op .password-store .config/configstore .config/firebase
  .config/netlify .config/stripe .wrangler .config/.wrangler .huggingface .cache/huggingface/token .kaggle .local/share/keyrings
  .local/share/kwalletd .config/kwalletrc .pki .putty .step .electrum .bitcoin .ethereum`;

const browsersAndMail = `.mozilla .thunderbird .config/chromium .config/google-chrome .config/google-chrome-beta
  .config/google-chrome-unstable .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .config/yandex-browser
  .librewolf .waterfox .zen .cache/chromium .cache/google-chrome .cache/mozilla .cache/BraveSoftware .cache/microsoft-edge
  .var/app snap .config/Slack .config/discord .config/Signal .config/Element .config/Bitwarden .config/1Password
  .config/Code .config/Cursor .config/VSCodium .local/share/TelegramDesktop .local/share/evolution .config/evolution
  Library/Keychains Library/Cookies Library/Mail Library/Messages Library/Safari`;

/** macOS keeps profiles in a directory with a space in its name. */
const onMac = ["Google", "Firefox", "Chromium", "BraveSoftware", "Microsoft Edge", "Slack", "Signal"].map(
  (name) => `Library/Application Support/${name}`,
);

/** Agents keep logins, transcripts and what other projects were about. */
const agents = `.zot .local/state/zot .pi .omp .claude .claude.json .codex .gemini .opencode .config/opencode
  .local/share/opencode .local/state/opencode .config/goose .local/share/goose .local/state/goose .zeroclaw .cursor .windsurf
  .codeium .qwen .copilot .config/github-copilot .continue .aider .kiro .amp .config/amp .factory`;

const histories = `.bash_history .zsh_history .histfile .local/share/fish/fish_history .python_history .node_repl_history
  .psql_history .mysql_history .sqlite_history .rediscli_history .lesshst .viminfo .local/state/bash .Xauthority .ICEauthority
  .local/share/recently-used.xbel`;

const inHome = [keys, browsersAndMail, agents, histories].flatMap((names) => names.split(/\s+/));

/** Real paths of those that exist. `others`: what else is private, such as the server's own home. */
export function privatePlaces(home: string, others: readonly string[]): string[] {
  const wanted = [...others, ...[...inHome, ...onMac].map((name) => join(home, name))];
  return [...new Set(wanted.flatMap(realPathIfThere))];
}

export function realPathIfThere(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return []; // not there, or not ours to see: nothing to hide
  }
}
