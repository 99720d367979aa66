export function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void;
