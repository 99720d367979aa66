// The YAML parser, alone in a file: it is loaded when there is front matter to read, and as CommonJS its
// exports are only available to a static import.
export { parse } from "yaml";
