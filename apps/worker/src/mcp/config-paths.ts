// Where MCP servers are configured, in the order in which a name is taken. In a file of its own, because a
// worker without any looks for them and must not load what reads them.
import { join } from "node:path";

export const configPaths = (cwd: string, home: string) => [
  { path: join(home, "mcp.json"), project: false },
  { path: join(cwd, ".patchbay/mcp.json"), project: true },
  { path: join(cwd, ".mcp.json"), project: true },
];
