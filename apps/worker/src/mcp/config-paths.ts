// The config files of MCP servers, in order of precedence. In a file of its own, because a worker without servers
// checks for them and must not load the code that reads them.
import { join } from "node:path";

export const configPaths = (cwd: string, home: string) => [
  { path: join(home, "mcp.json"), project: false },
  { path: join(cwd, ".patchbay/mcp.json"), project: true },
  { path: join(cwd, ".mcp.json"), project: true },
];
