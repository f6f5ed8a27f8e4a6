/** An element of the list, with the comma or the end behind it. Empty elements may stand between (RFC 9110, section 5.6.1). */
const ELEMENT = /[\t ,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?:,|$)/y;

/**
 * Whether a caller's If-None-Match has the tag: that of an answer that it has already (RFC 9110, section 13.1.2). The
 * comparison is the weak one. A header that is malformed says nothing.
 */
export function hasEntityTag(header: string | undefined, entityTag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < header.length) {
    const start = ELEMENT.lastIndex;
    const element = ELEMENT.exec(header);
    if (element === null) return /^[\t ,]*$/.test(header.slice(start)) && tags.includes(entityTag);
    tags.push(element[1]!);
  }
  return tags.includes(entityTag);
}
