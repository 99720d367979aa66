// Writes lines that are no frames, without end: a program that was never an rpc worker.
for (let i = 0; i < 1000; i++) process.stdout.write("Listening on port 3000...\n");
setInterval(() => {}, 1000);
