// One end of a bridge, for machines without a C compiler: a WebSocket of which only the headers are
// parsed, or a worker's pipe; its lines are compared with the frames that must come.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { deltaHead, firstFrame, nextFrame } from "./frame.mjs";

const LF = 10;
/** Of the last fragment of a message; websocketd sends long lines in several. */
const fin = 0x80;
const noMask = Buffer.alloc(4);
const opcodes = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa };
/** Of a line that is no frame only the beginning is looked at. */
const keptBytes = 65_536;

/** Splits bytes into lines; calls `other(line)` for each that is not the expected frame. */
class FrameCheck {
  frames = 0;
  expected;
  #other;
  #partial = [];
  #held = 0;

  constructor(size, other) {
    this.expected = size > 0 ? firstFrame(size) : Buffer.alloc(0);
    this.#other = other;
  }

  feed(bytes) {
    for (let at = 0; at < bytes.length; ) {
      const size = this.expected.length;
      if (this.#held === 0 && size > 0 && bytes.length - at >= size) {
        if (bytes.compare(this.expected, 0, size, at, at + size) === 0) {
          this.#count();
          at += size;
          continue;
        }
      }
      const lf = bytes.indexOf(LF, at);
      const end = lf === -1 ? bytes.length : lf + 1;
      if (this.#held < keptBytes) this.#partial.push(bytes.subarray(at, end));
      this.#held += end - at;
      if (lf !== -1) this.#endLine();
      at = end;
    }
  }

  #endLine() {
    const line = Buffer.concat(this.#partial);
    this.#partial = [];
    this.#held = 0;
    if (line.equals(this.expected)) return this.#count();
    const text = line.toString("latin1");
    if (text.startsWith(deltaHead) && !text.startsWith(`${deltaHead}T`)) {
      throw new Error(`frame ${this.frames} is not the one that must come: ${text.slice(0, 70)}`);
    }
    if (line.length > 1) this.#other(text);
  }

  #count() {
    this.frames++;
    nextFrame(this.expected);
  }
}

export class Link {
  wireBytes = 0;
  check;
  #source;
  #sink;
  #websocket = false;
  #linePerMessage;
  #header = [];
  #left = 0;

  constructor({ size, other, linePerMessage = false }) {
    this.check = new FrameCheck(size, other);
    this.#linePerMessage = linePerMessage;
  }

  spawn(program) {
    const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#sink = child.stdin;
    this.#source = child.stdout;
  }

  async connect(port, path, token) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    const access = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n${access}\r\n`,
    );
    this.#source = this.#sink = socket;
    this.#websocket = true;
    let head = Buffer.alloc(0);
    while (!head.includes("\r\n\r\n")) head = Buffer.concat([head, (await once(socket, "data"))[0]]);
    if (!head.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error("the upgrade was refused");
    socket.pause();
    this.#take(head.subarray(head.indexOf("\r\n\r\n") + 4));
  }

  /** Calls back after each read; rejects when a frame is wrong or the bridge ends. */
  listen(afterRead) {
    return new Promise((_, reject) => {
      this.#source.on("data", (bytes) => {
        try {
          this.#take(bytes);
          afterRead();
        } catch (error) {
          reject(error);
        }
      });
      this.#source.once("close", () => reject(new Error("the bridge ended")));
      this.#source.resume();
    });
  }

  send(line) {
    const payload = Buffer.from(`${line}\n`);
    this.#sink.write(this.#websocket ? message(opcodes.text, payload) : payload);
  }

  close() {
    this.#sink.end();
    if (this.#websocket) this.#source.destroy();
  }

  #take(bytes) {
    this.wireBytes += bytes.length;
    if (!this.#websocket) return this.check.feed(bytes);
    for (let at = 0; at < bytes.length; ) {
      if (this.#header.length < headerSize(this.#header)) {
        this.#header.push(bytes[at++]);
        if (this.#header.length < headerSize(this.#header)) continue;
        this.#left = payloadSize(this.#header);
      }
      const part = Math.min(this.#left, bytes.length - at);
      const opcode = this.#header[0] & 0xf;
      if (opcode === opcodes.close) throw new Error("the bridge closed the socket");
      if (opcode < opcodes.close) this.check.feed(bytes.subarray(at, at + part));
      at += part;
      this.#left -= part;
      if (this.#left > 0) continue;
      if (opcode === opcodes.ping) this.#sink.write(message(opcodes.pong, Buffer.alloc(0)));
      else if (this.#linePerMessage && (this.#header[0] & fin) !== 0) this.check.feed(Buffer.from("\n"));
      this.#header = [];
    }
  }
}

/** Clients must mask; a mask of zeros leaves the payload as it is. */
function message(opcode, payload) {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([fin | opcode, 0x80 | length[0], ...length.slice(1)]), noMask, payload]);
}

const headerSize = (header) => {
  if (header.length < 2) return 2;
  return { 126: 4, 127: 10 }[header[1] & 0x7f] ?? 2;
};

const payloadSize = (header) =>
  header.length === 2 ? header[1] & 0x7f : header.slice(2).reduce((size, byte) => size * 256 + byte, 0);
