/** Reads the media type of a Content-Type, without parameters and in lower case; empty if there is none. */
export function mediaTypeOf(header: string | readonly string[] | undefined): string {
  return String(header ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase();
}
