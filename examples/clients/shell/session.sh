#!/usr/bin/env bash
# Asks an agent through the session socket and prints its answer: session.sh URL PROMPT
# WebSocket by hand: frames are masked with zeros, which the protocol allows and bash can do.
set -euo pipefail
url=$1 prompt=$2
# Not an argument, here and of curl: everybody on the machine can read those.
token=${PATCHBAY_TOKEN:-$(<"$HOME/.patchbay/token")}
LC_ALL=C

field() { sed -nE "s/.*\"$1\":\"((\\\\.|[^\"\\\\])*)\".*/\1/p" <<<"$2" | sed 's/\\"/"/g'; }
quote() { local text=${1//\\/\\\\}; text=${text//\"/\\\"}; printf '"%s"' "${text//$'\n'/\\n}"; }

created=$(curl -sSf -X POST -H @<(printf 'authorization: Bearer %s' "$token") -H 'content-type: application/json' -d '{}' "$url/api/sessions")
id=$(sed -E 's/^\{"session":\{"id":"([^"]+)".*/\1/' <<<"$created")
host=${url#http://}
exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
printf 'GET /api/sessions/%s/socket HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' "$id" "$host" "$token" >&3
while IFS= read -r head <&3 && [[ $head != $'\r' ]]; do :; done

send() {
  local length=${#1} size
  if ((length < 126)); then printf -v size '\\x%02x' $((128 | length))
  else printf -v size '\\xfe\\x%02x\\x%02x' $((length >> 8)) $((length & 255)); fi
  { printf '\x81'"$size"'\x00\x00\x00\x00'; printf '%s' "$1"; } >&3
}
# The next N bytes as a number.
number() { local sum=0 byte; for byte in $(head -c "$1" <&3 | od -An -tu1); do sum=$((sum * 256 + byte)); done; echo "$sum"; }

send "{\"id\":\"1\",\"type\":\"prompt\",\"message\":$(quote "$prompt")}
"
# Whether the line is of the type: ours begin with it, and zot's, whose fields are sorted, end with it.
is() { [[ $line == "{\"type\":\"$1\""* || $line == *"\"type\":\"$1\"}" ]]; }
fail() { echo "${1:-The agent was stopped.}" >&2; exit 1; }

started='' code=0
while true; do
  kind=$(number 1) length=$(number 1)
  ((kind != 0 && kind != 136)) || fail 'The server is gone.'
  case $length in 126) length=$(number 2) ;; 127) length=$(number 8) ;; esac
  message=$(head -c "$length" <&3)
  ((kind == 129)) || continue # pings; the server does not mind one that is not answered at once
  while IFS= read -r line; do
    if is text_delta; then LC_ALL=C.UTF-8 printf '%b' "$(field delta "$line")"
    elif is response && [[ $line == *'"id":"1"'* ]]; then
      [[ $line == *'"success":true'* ]] || fail "$(field error "$line")"
      started=1
    elif is worker && [[ $line == *'"event":"exited"'* ]]; then
      # One that ends without a reason before the prompt was taken is started again.
      reason=$(field reason "$line")
      [[ -z $started$reason ]] || fail "$reason"
    elif is error; then field message "$line" >&2; code=1
    elif is done; then echo; exit $code
    fi
  done <<<"$message"
done
