// The worker's version, put in by the build: reading package.json at start would cost a file access.
declare const PATCHBAY_VERSION: string;

export const version: string = PATCHBAY_VERSION;
