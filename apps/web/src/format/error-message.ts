// What a caught value says to a person.
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
