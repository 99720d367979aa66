// The key that is pressed for commands, as this keyboard calls it.
export const commandKey = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
