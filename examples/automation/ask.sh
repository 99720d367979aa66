#!/usr/bin/env bash
# Sends one prompt to Patchbay, waits for the end of its turn and prints the answer: ask.sh PROMPT
# PATCHBAY_URL, PATCHBAY_TOKEN (else ~/.patchbay/token); PATCHBAY_SESSION: a session to go on with, else a new one is created, with
# PATCHBAY_CWD and PATCHBAY_WORKER. PATCHBAY_KEY: the same key runs the prompt once. Needs curl and jq.
# Ends with 0: done; 1: failed, stopped or interrupted; 2: refused; 3: it waits for a person.
set -euo pipefail
url=${PATCHBAY_URL:-http://127.0.0.1:7171} prompt=$1
token=${PATCHBAY_TOKEN:-$(<"$HOME/.patchbay/token")}
unique() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
key=${PATCHBAY_KEY:-$(unique)}

# The token is no argument of curl: everybody on the machine can read those. A call that was cut is repeated with its key.
call() {
  curl -sS --retry 5 --retry-connrefused --retry-delay 2 -H @<(printf 'authorization: Bearer %s' "$token") \
    -H 'content-type: application/json' -H "idempotency-key: $key" "$@"
}

if [[ -n ${PATCHBAY_SESSION:-} ]]; then path=/api/sessions/$PATCHBAY_SESSION/prompts; else path=/api/sessions; fi
# The prompt is no argument of jq and curl either.
body=$(printf '%s' "$prompt" | jq -Rs --arg cwd "${PATCHBAY_CWD:-}" --arg worker "${PATCHBAY_WORKER:-}" \
  '{prompt: ., wait: 50} + if $cwd == "" then {} else {cwd: $cwd} end + if $worker == "" then {} else {worker: $worker} end')
answer=$(call --data-binary @- "$url$path" <<<"$body")

while true; do
  if [[ $(jq -r '.error.code // ""' <<<"$answer") ]]; then
    jq -r '"Refused: " + .error.message' <<<"$answer" >&2
    exit 2
  fi
  turn=$(jq -r '"/api/sessions/" + .turn.session + "/turns/" + .turn.id' <<<"$answer")
  case $(jq -r .turn.state <<<"$answer") in
    queued | running) answer=$(call "$url$turn?wait=50") ;;
    waiting)
      jq -r '"It waits for a person: " + (.turn.pending[0].title // .turn.pending[0].method)' <<<"$answer" >&2
      echo "$url$turn" >&2
      exit 3
      ;;
    *) break ;;
  esac
done

jq -r '.turn.text // ""' <<<"$answer"
# What it cost, and how certain that is, goes where people look and programs do not.
jq -r '"\(.turn.state), $\(.turn.usage.cost_usd) (\(.turn.usage.certainty))" + if .turn.error then ": " + .turn.error else "" end' <<<"$answer" >&2
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  # A boundary that no answer can contain: it is made when the answer is there.
  end=end-$(unique)
  {
    printf 'text<<%s\n' "$end"
    jq -r '.turn.text // ""' <<<"$answer"
    printf '%s\n' "$end"
    jq -r '"state=" + .turn.state, "session=" + .turn.session, "cost_usd=\(.turn.usage.cost_usd)"' <<<"$answer"
  } >>"$GITHUB_OUTPUT"
fi
[[ $(jq -r .turn.state <<<"$answer") == done ]]
