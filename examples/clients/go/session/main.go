// Asks an agent through the session socket and prints its answer: go run ./session URL TOKEN PROMPT
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

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func create(url, token string) string {
	request, err := http.NewRequest("POST", url+"/api/sessions", strings.NewReader("{}"))
	check(err)
	request.Header.Set("authorization", "Bearer "+token)
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	var created struct{ Session struct{ ID string } }
	check(json.NewDecoder(response.Body).Decode(&created))
	return created.Session.ID
}

// Masked with zeros, which the protocol allows.
func send(to io.Writer, opcode byte, data []byte) {
	head := binary.BigEndian.AppendUint64([]byte{128 | opcode, 255}, uint64(len(data)))
	_, err := to.Write(append(append(head, 0, 0, 0, 0), data...))
	check(err)
}

func receive(from io.Reader) (byte, []byte) {
	head := make([]byte, 10)
	read := func(part []byte) { _, err := io.ReadFull(from, part); check(err) }
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
	url, token, prompt := os.Args[1], os.Args[2], os.Args[3]
	session := create(url, token)
	host := strings.TrimPrefix(url, "http://")
	connection, err := net.Dial("tcp", host)
	check(err)
	fmt.Fprintf(connection, "GET /api/sessions/%s/socket HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", session, host, token)
	stream := bufio.NewReader(connection)
	for line := ""; line != "\r\n"; {
		line, err = stream.ReadString('\n')
		check(err)
	}
	command, _ := json.Marshal(map[string]string{"id": "1", "type": "prompt", "message": prompt})
	send(connection, 1, append(command, '\n'))
	for {
		opcode, data := receive(stream)
		if opcode == 9 {
			send(connection, 10, data) // a ping: say that we are still here
		}
		for _, line := range strings.Split(string(data), "\n") {
			var frame struct{ Type, Delta string }
			if opcode != 1 || json.Unmarshal([]byte(line), &frame) != nil {
				continue
			}
			fmt.Print(frame.Delta)
			if frame.Type == "done" {
				fmt.Println()
				return
			}
		}
	}
}
