#!/bin/sh
# What has changed in git: /changes shows it, and the status line counts it after each step of the agent.
# Plain sh. With jq, strings are read and written exactly; without it, sed does for what the host sends here.

if command -v jq >/dev/null 2>&1; then
  field() { printf '%s' "$1" | jq -r --arg name "$2" '.[$name] // ""'; }
  quote() { jq -Rs .; }
else
  field() { printf '%s' "$1" | sed -n 's/.*"'"$2"'":"\(\([^"\\]\|\\.\)*\)".*/\1/p'; }
  quote() { printf '"%s"' "$(sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')"; }
fi

cwd=.

changes() { git -C "$cwd" status --short 2>&1 | head -n 100; }

status() {
  count=$(git -C "$cwd" status --short 2>/dev/null | wc -l | tr -d ' ')
  if [ "$count" = 0 ]; then
    echo '{"type":"ui_request","method":"setStatus","statusKey":"changes"}'
  else
    echo '{"type":"ui_request","method":"setStatus","statusKey":"changes","statusText":"'"$count"' changed"}'
  fi
}

echo '{"type":"hello","name":"changes","version":"1.0.0","capabilities":["commands"]}'
echo '{"type":"register_command","name":"changes","description":"what has changed in git"}'
echo '{"type":"subscribe","events":["session_start","turn_end"]}'
echo '{"type":"ready"}'

while IFS= read -r line; do
  case $(field "$line" type) in
    hello_ack)
      cwd=$(field "$line" cwd)
      ;;
    event)
      status
      ;;
    command_invoked)
      text=$(changes)
      [ -n "$text" ] || text="Nothing has changed."
      id=$(field "$line" id)
      printf '{"type":"command_response","id":"%s","action":"display","display":%s}\n' "$id" "$(printf '%s' "$text" | quote)"
      ;;
    shutdown)
      echo '{"type":"shutdown_ack"}'
      exit 0
      ;;
  esac
done
