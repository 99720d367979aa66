// The help of `patchbay`: `patchbay --help`, `patchbay help` and `npm start -- --help` print it.
export const help = `Patchbay: run coding agents on this machine and use them from a browser

Usage
  patchbay [options]             start the server and open a browser
  patchbay daemon [options]      start the server for other programs: no browser is opened
  patchbay <command> [options]   run a command; "patchbay <command> --help" describes it
  From a clone, "npm start -- [options]" does the same as "patchbay [options]".

Commands
  login           print a link that logs a browser in
  logout --all    log all browsers out
  token           print the access token for programs
  user            add, list, disable and reset people; print tokens for them
  import costs    import what other programs (Claude Code, Codex, …) spent outside of Patchbay
  audit verify    check that nobody changed the audit of a server with people
  ext             install, list and remove extensions of the built-in agent
  help            print this help

Options
  --host ADDRESS         address to listen on (default: 127.0.0.1, only this machine)
  --port NUMBER          port to listen on; 0 picks a free one (default: 7171)
  --home DIR             where sessions, logs and settings are kept (default: ~/.patchbay)
  --config FILE          config file (default: <home>/patchbay.config.json)
  --tls-cert FILE        certificate for https; requires --tls-key
  --tls-key FILE         private key of the certificate
  --insecure-network     allow plain http beyond this machine
  --no-open              do not open a browser
  --ephemeral            with "daemon": stop when the last program disconnects
  -h, --help             print this help
  -v, --version          print the version

Environment
  PATCHBAY_HOST, PATCHBAY_PORT, PATCHBAY_HOME, PATCHBAY_CONFIG   the same as the options
  PATCHBAY_TOKEN         access token, at least 32 characters (default: created at the first start)
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY
                         model keys of the built-in agent
  OPENAI_COMPATIBLE_BASE_URL, OLLAMA_HOST
                         address of an OpenAI-compatible server, or of Ollama
  An option overrides its variable, which overrides the config file.

Examples
  patchbay --port 8080 --no-open
  patchbay --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  patchbay import costs --dry-run

All settings: docs/operations.md
`;
