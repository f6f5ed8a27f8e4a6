import { createHash } from 'node:crypto';

/** An answer as it is sent, and the tag by which a caller can ask whether it is still the same. */
export class Rendition {
  private constructor(
    readonly content: Buffer,
    readonly contentType: string,
    /** Strong (RFC 9110, section 8.8.3): the same tag is the same bytes, on every replica. */
    readonly entityTag: string,
  ) {}

  /** An answer in JSON. */
  static ofJson(body: object): Rendition {
    return Rendition.of(JSON.stringify(body), 'application/json; charset=utf-8');
  }

  static of(text: string, contentType: string): Rendition {
    const content = Buffer.from(text);
    const digest = createHash('sha256').update(content).digest('base64url');
    return new Rendition(content, contentType, `"${digest.slice(0, 27)}"`);
  }
}
