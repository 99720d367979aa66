// Ends before it has said anything, as a worker without a credential does.
process.stderr.write("zot: no credential for anthropic; set ANTHROPIC_API_KEY\n");
process.exit(1);
