import { isObject } from '../../../api/validation/constraints.js';

/** Details of reasoning as chat completions have them (`reasoning_details`). */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/** How an `encrypted_content` begins that carries details whole. */
const PREFIX = 'reasoning-details.1.';

/**
 * Writes details of reasoning as one text: the `encrypted_content` of an item. Clients hand that field back as it came, but
 * leave out the fields in which a signature and a format would stand. It is no secret: the caller has had it all.
 */
export function textOfDetails(details: readonly ReasoningDetail[]): string {
  return PREFIX + Buffer.from(JSON.stringify(details)).toString('base64url');
}

/** Reads {@link textOfDetails}. A text of another origin is undefined. */
export function detailsOfText(text: string): readonly ReasoningDetail[] | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString());
    return Array.isArray(read) && read.every(isObject) ? read : undefined;
  } catch {
    return undefined;
  }
}
