// What the page says about the sandbox.

export const sandboxText = {
  title: "Sandbox",
  on: "Sandboxed",
  off: "Not sandboxed",
  choices: [
    {
      value: "on",
      label: "Sandboxed",
      detail: "Reaches this directory, and a home of its own without your files and keys",
    },
    { value: "off", label: "Not sandboxed", detail: "Reaches everything you can reach on this machine" },
  ],
  enforced: "The server's configuration does not let it be turned off.",
  missing: "No sandbox on this machine",
  leaks: "The sandbox does not work: every command asks",
  more: "About the sandbox",
  fixedOn: "This agent reaches this directory and its own files only",
  fixedOff:
    'This agent reaches everything you can reach. "sandbox": "on" in its profile in patchbay.config.json confines it',
} as const;
