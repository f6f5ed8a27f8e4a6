import { RE2JS, RE2JSException } from 're2js';

/** Compiles a pattern. @returns what the engine says against it; null for one that it takes */
export function compileMessage(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return error.message;
  }
}
