// Reads everything and never answers.
process.stdin.resume();
