// Asks an agent through the session socket and prints its answer: go run ./session URL PROMPT
// Only the standard library: the WebSocket is spoken by hand.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

func check(failed bool, reason any) {
	if failed {
		fmt.Fprintln(os.Stderr, reason)
		os.Exit(1)
	}
}

func create(url, token string) string {
	request, _ := http.NewRequest("POST", url+"/api/sessions", strings.NewReader("{}"))
	request.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	response, err := http.DefaultClient.Do(request)
	check(err != nil, err)
	defer response.Body.Close()
	var created struct{ Session, Error struct{ ID, Message string } }
	check(json.NewDecoder(response.Body).Decode(&created) != nil, "That is no Patchbay.")
	check(created.Session.ID == "", created.Error.Message)
	return created.Session.ID
}

// Masked with zeros, which the protocol allows.
func send(to io.Writer, opcode byte, data []byte) {
	head := binary.BigEndian.AppendUint64([]byte{128 | opcode, 255}, uint64(len(data)))
	_, err := to.Write(append(append(head, 0, 0, 0, 0), data...))
	check(err != nil, err)
}

func receive(from io.Reader) (byte, []byte) {
	head := make([]byte, 10)
	read := func(part []byte) { _, err := io.ReadFull(from, part); check(err != nil, err) }
	read(head[:2])
	length := uint64(head[1])
	if length == 126 {
		read(head[8:])
		length = uint64(binary.BigEndian.Uint16(head[8:]))
	} else if length == 127 {
		read(head[2:])
		length = binary.BigEndian.Uint64(head[2:])
	}
	data := make([]byte, length)
	read(data)
	return head[0] & 15, data
}

func main() {
	url, prompt := os.Args[1], os.Args[2]
	token := os.Getenv("PATCHBAY_TOKEN") // not an argument: everybody on the machine can read those
	if kept, err := os.ReadFile(os.Getenv("HOME") + "/.patchbay/token"); token == "" && err == nil {
		token = strings.TrimSpace(string(kept))
	}
	session, host := create(url, token), strings.TrimPrefix(url, "http://")
	connection, err := net.Dial("tcp", host)
	check(err != nil, err)
	fmt.Fprintf(connection, "GET /api/sessions/%s/socket HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", session, host, token)
	stream := bufio.NewReader(connection)
	_, err = http.ReadResponse(stream, nil)
	check(err != nil, err)
	command, _ := json.Marshal(map[string]string{"id": "1", "type": "prompt", "message": prompt})
	send(connection, 1, append(command, '\n'))
	for started, failed := false, false; ; {
		opcode, data := receive(stream)
		if opcode == 9 {
			send(connection, 10, data) // a ping: say that we are still here
		}
		for _, line := range strings.Split(string(data), "\n") {
			var frame map[string]any
			json.Unmarshal([]byte(line), &frame) // an empty line is no frame
			switch kind := frame["type"]; {
			case kind == "text_delta":
				fmt.Print(frame["delta"])
			case kind == "response" && frame["id"] == "1":
				started = frame["success"] == true
				check(!started, frame["error"])
			case kind == "worker" && frame["event"] == "exited": // without a reason it may be started again
				check(started || frame["reason"] != nil, fmt.Sprint("The agent has ended: ", frame["reason"]))
			case kind == "error":
				failed = true
				fmt.Fprintln(os.Stderr, frame["message"])
			case kind == "done":
				check(failed, "The turn failed.")
				fmt.Println()
				return
			}
		}
	}
}
