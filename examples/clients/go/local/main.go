// Asks an agent through the local socket and prints its answer: go run ./local SOCKET PROMPT
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
)

type message struct {
	ID     int
	Method string
	Params struct{ Type, Text string }
	Result struct {
		Session string `json:"session_id"`
	}
	Error *struct{ Message string }
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	daemon, err := net.Dial("unix", os.Args[1])
	check(err)
	lines := bufio.NewReader(daemon)
	call := func(id int, method string, params map[string]any) message {
		check(json.NewEncoder(daemon).Encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
		for {
			line, err := lines.ReadBytes('\n')
			check(err)
			var said message
			check(json.Unmarshal(line, &said))
			if said.Params.Type == "agent_message_chunk" {
				fmt.Print(said.Params.Text)
			}
			if said.Method == "" && said.ID == id {
				if said.Error != nil {
					check(fmt.Errorf("%s", said.Error.Message))
				}
				return said
			}
		}
	}
	call(1, "initialize", map[string]any{"protocol_version": 1})
	session := call(2, "session/new", map[string]any{}).Result.Session
	call(3, "session/prompt", map[string]any{"session_id": session, "prompt": os.Args[2]})
	fmt.Println()
}
