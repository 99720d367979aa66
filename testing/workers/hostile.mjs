// A worker that writes what no honest one would: each prompt names one attempt. Used by the attack suite.
import { serve } from "./zot-worker.mjs";

const nested = (depth) => "[".repeat(depth) + "]".repeat(depth);
const usage = (figures) =>
  JSON.stringify({
    type: "usage",
    input: 1,
    output: 1,
    cache_read: 0,
    cache_write: 0,
    cost_usd: 0.01,
    ...figures,
  });
const lines = (count, line) => Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");

/** Each gives the text that is written; LFs included. */
const attempts = {
  deepQuestion: () =>
    `{"type":"extension_ui_request","id":"q","method":"select","title":"?","options":[${nested(5_000)}]}\n`,
  longTimeouts: () =>
    [1e300, 4_294_967_296, 2 ** 53]
      .map(
        (timeout, index) =>
          `${JSON.stringify({ type: "extension_ui_request", id: `t${index}`, method: "confirm", title: "?", timeout })}\n`,
      )
      .join(""),
  badTimeouts: () =>
    `{"type":"extension_ui_request","id":"n","method":"confirm","title":"?","timeout":-5}\n{"type":"extension_ui_request","id":"i","method":"confirm","title":"?","timeout":1e999}\n`,
  manyQuestions: () =>
    lines(300, (index) =>
      JSON.stringify({
        type: "extension_ui_request",
        id: `m${index}`,
        method: "confirm",
        title: "x".repeat(50_000),
      }),
    ),
  hugeTokens: () =>
    lines(3, () => usage({ input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER })),
  hugeCosts: () =>
    lines(3, () => usage({ cost_usd: 9e9 })) +
    usage({ cost_usd: 1e308 }) +
    "\n" +
    usage({}).replace("0.01", "1e999") +
    "\n",
  mostTokens: () => lines(5_000, () => usage({ input: 1e9, output: 1e9, cost_usd: 100_000 })),
  deepFrame: () =>
    `{"type":"tool_call","id":"d","name":"x","args":${nested(20_000)}}\n{"type":"newer_frame","value":${nested(20_000)}}\n`,
  deepDelta: () => `{"type":"text_delta","delta":"shown","more":${nested(20_000)}}\n`,
  deepArguments: () =>
    `{"type":"tool_use_start","id":"d","name":"x"}\n${JSON.stringify({ type: "tool_use_args", id: "d", delta: nested(20_000) })}\n`,
  longNames: () => {
    const long = "n".repeat(1_000_000);
    return [
      { type: "session_info_changed", name: long },
      { type: "settings", provider: long, model: long, agent_session: long },
      { type: "commands_changed", capabilities: [long] },
      { type: "tool_call", id: long, name: long, args: {} },
    ]
      .map((frame) => `${JSON.stringify(frame)}\n`)
      .join("");
  },
  badTimes: () =>
    ["", "soon", "+275760-09-13T00:00:00Z", "-000001-01-01T00:00:00Z"]
      .map(
        (time) =>
          `${JSON.stringify({ type: "assistant_message", content: [{ type: "text", text: `at ${time}` }], time })}\n${usage({})}\n`,
      )
      .join(""),
  spaces: () => `{"type":"text_delta",${" ".repeat(15_000_000)}"delta":"x"}\n`,
  escapes: () =>
    `{"type":"assistant_message","time":"t","content":[{"type":"text","text":"${'\\"'.repeat(7_500_000)}"}]}\n`,
  umlauts: () =>
    `{"type":"tool_result","id":"u","is_error":false,"content":[{"type":"text","text":"${"é".repeat(7_500_000)}"}]}\n`,
  manyValues: () => `{"type":"newer_frame","value":[${"1,".repeat(7_500_000)}1]}\n`,
  manyBlocks: () =>
    `{"type":"assistant_message","time":"t","content":[${'{"type":"text"},'.repeat(1_000_000)}{}]}\n`,
  tooLong: () => "x".repeat(20_000_000),
  smallFrames: () => lines(60_000, () => '{"type":"assistant_start"}'),
  notices: () =>
    lines(30_000, (index) =>
      JSON.stringify({ type: "ext_notify", extension: "e", level: "info", message: String(index % 200) }),
    ),
  errors: () => lines(20_000, (index) => JSON.stringify({ type: "error", message: String(index) })),
  tools: () =>
    lines(30_000, (index) => JSON.stringify({ type: "tool_use_start", id: String(index), name: "x" })),
  alternating: () =>
    lines(100_000, (index) =>
      JSON.stringify({ type: index % 2 === 0 ? "text_delta" : "thinking_delta", delta: "x" }),
    ),
  commands: () =>
    lines(20_000, (index) =>
      JSON.stringify({ type: "bash_start", id: String(index), command: "x", time: "t" }),
    ),
  branches: () =>
    lines(3_000, (index) =>
      JSON.stringify({ type: "branched", branch: `b${index}`, from: "main", entry_id: null, time: "t" }),
    ),
  messages: () =>
    lines(20_000, (index) =>
      JSON.stringify({
        type: "assistant_message",
        content: [{ type: "text", text: `m ${index}` }],
        time: "2026-01-01T00:00:00Z",
      }),
    ),
  prototypes: () =>
    '{"__proto__":{"polluted":true},"type":"settings","constructor":{"prototype":{"polluted":true}}}\n{"type":"__proto__"}\n{"type":"tool_call","id":"__proto__","name":"constructor","args":{"__proto__":1}}\n',
  badText: () =>
    `{"type":"text_delta","delta":"\\ud800 \\u0000 \\u2028 \u202e"}\n\u0000\u0001\n{"type":"text_delta","delta":"after"}\n`,
  responses: () =>
    lines(10_000, (index) =>
      JSON.stringify({ type: "response", id: `p${index}`, command: "get_state", success: true, data: null }),
    ),
};

serve({
  hello: { capabilities: ["commands"] },
  async attempt(rest, { writeRaw }) {
    const [name, times = "1"] = rest.split(" ");
    for (let time = 0; time < Number(times); time++) {
      const text = attempts[name]();
      if (!writeRaw(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  },
  /** Writes bytes that are given as hex. */
  bytes(rest) {
    process.stdout.write(Buffer.from(rest, "hex"));
  },
  say(rest, { write }) {
    write({ type: "text_delta", delta: rest });
  },
  async hang(_rest, { untilAborted }) {
    return untilAborted;
  },
  /** Reads nothing any more. */
  deaf(_rest, { write }) {
    process.stdin.pause();
    setInterval(() => {}, 1_000); // it stays all the same
    write({ type: "text_delta", delta: "deaf" });
    return new Promise(() => {});
  },
});
