import { isObject } from '../../../api/validation/constraints.js';

/** Details of reasoning as chat completions have them (`reasoning_details`). */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/** How an `encrypted_content` begins that carries details whole. */
const PREFIX = 'reasoning-details.1.';

/**
 * Writes details of reasoning as one text: the `encrypted_content` of an item. Clients hand that field back as it came, but
 * leave out the fields in which a signature and a format would stand. It is not secret: the caller has had all of it.
 */
export function textOfDetails(details: readonly ReasoningDetail[]): string {
  return PREFIX + Buffer.from(JSON.stringify(details)).toString('base64url');
}

/** Reads {@link textOfDetails}; its JSON must have been bounded before. @returns undefined for a text of another origin */
export function detailsOfText(text: string): readonly ReasoningDetail[] | undefined {
  const json = carriedJson(text);
  return json === undefined ? undefined : detailsIn(json);
}

/** The JSON in what {@link textOfDetails} wrote, not parsed. A text that is not written so is undefined. */
export function carriedJson(text: string): Buffer | undefined {
  return text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64url') : undefined;
}

/** The details in a JSON text. Another text is undefined. @param json within the bounds of a body */
export function detailsIn(json: Buffer): readonly ReasoningDetail[] | undefined {
  try {
    const read: unknown = JSON.parse(json.toString());
    return Array.isArray(read) && read.every(isObject) ? read : undefined;
  } catch {
    return undefined;
  }
}
