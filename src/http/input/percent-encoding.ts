/** Percent-encoded UTF-8 (RFC 3986, section 2.1), decoded; undefined where it is not that. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
