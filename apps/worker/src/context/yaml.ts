// The YAML reader, alone in a file: it is loaded when there is front matter to read, and as CommonJS it
// shows its names only to a static import.
export { parse } from "yaml";
