#!/usr/bin/env bash
# Asks an agent through the local socket and prints its answer: local.sh SOCKET PROMPT
# Needs socat, nc with -U, or perl to reach the socket; everything else is bash.
set -euo pipefail
path=$1 prompt=$2

reach() {
  if command -v socat >/dev/null; then exec socat - "UNIX-CONNECT:$path"
  elif command -v nc >/dev/null && nc -h 2>&1 | grep -q -- -U; then exec nc -U "$path"
  else exec perl -MIO::Socket::UNIX -e '
    my $s = IO::Socket::UNIX->new(Peer => shift) or die "nobody listens\n"; $s->autoflush; $| = 1;
    if (fork) { while (sysread($s, my $b, 65536)) { print $b } } else { while (sysread(STDIN, my $b, 65536)) { print $s $b } }
  ' "$path"; fi
}

coproc DAEMON { reach; }
say() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$1" "$2" "$3" >&"${DAEMON[1]}"; }
quote() { local text=${1//\\/\\\\}; text=${text//\"/\\\"}; printf '"%s"' "${text//$'\n'/\\n}"; }
# The string field NAME of the line: field NAME LINE
field() { sed -nE "s/.*\"$1\":\"((\\\\.|[^\"\\\\])*)\".*/\1/p" <<<"$2" | sed 's/\\"/"/g'; }

say 1 initialize '{"protocol_version":1}'
say 2 session/new '{}'
while IFS= read -r line <&"${DAEMON[0]}"; do
  case $line in
    *'"id":2}') session=$(field session_id "$line")
      say 3 session/prompt "{\"session_id\":\"$session\",\"prompt\":$(quote "$prompt")}" ;;
    *'"type":"agent_message_chunk"'*) printf '%b' "$(field text "$line")" ;;
    '{"jsonrpc":"2.0","error":'*) field message "$line" >&2; kill "$DAEMON_PID"; exit 1 ;;
    *'"id":3}') echo; kill "$DAEMON_PID"; exit 0 ;;
  esac
done
echo 'The server is gone.' >&2
exit 1
