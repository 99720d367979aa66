// Something the person can do something about: one sentence on stderr, exit code 1.
export class CliError extends Error {}
