/**
 * Whether a text is a URL (WHATWG URL Standard). Not `URL.canParse`: once Node.js 20 has compiled a function that often calls it, it says no of
 * a text with characters of Latin-1 beyond ASCII, because it is then given other bytes than those of the text.
 */
export function parsesAsUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
