import { isObject } from '../../../http/validation/constraints.js';
import { isText } from './json-values.js';

/** Details of reasoning as chat completions have them (`reasoning_details`). */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/**
 * How a text begins that carries details whole. The number is the version of what follows: another one is a text of another
 * origin for this release.
 */
const PREFIX = 'reasoning-details.1.';

/** The most that details of one block may have together to be carried, in characters. */
const MAXIMUM_CARRIED_LENGTH = 4 * 1024 * 1024;

/**
 * Writes details of reasoning as one text: the `encrypted_content` of an item, or the `signature` of a thought. Clients hand these
 * fields back as they came, but leave out all others. It is not secret, because the caller has had all of it, and not trusted: what is
 * read of it is bounded and scanned like the rest of a request, and decides nothing but what a provider is handed back.
 */
export function textOfDetails(details: readonly ReasoningDetail[]): string {
  return PREFIX + Buffer.from(JSON.stringify(details)).toString('base64url');
}

/** Reads {@link textOfDetails}; its JSON must have been bounded before. @returns undefined for a text of another origin */
export function detailsOfText(text: string): readonly ReasoningDetail[] | undefined {
  const json = carriedJson(text);
  return json === undefined ? undefined : parsedReasoningDetails(json);
}

/** The JSON in what {@link textOfDetails} wrote, not parsed. A text that is not written so is undefined. */
export function carriedJson(text: string): string | undefined {
  return text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64url').toString() : undefined;
}

/** The details in a JSON text. Another text is undefined. @param json within the bounds of a body */
export function parsedReasoningDetails(json: string): readonly ReasoningDetail[] | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return Array.isArray(read) && read.every(isObject) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whether details have something that only the provider can read, so that their text alone does not say everything. */
export function haveOpaqueState(details: readonly ReasoningDetail[]): boolean {
  return details.some(({ type, signature }) => type === 'reasoning.encrypted' || isText(signature));
}

/** The details of one block of reasoning, as they come: the pieces of a text become one. */
export class KeptDetails {
  private readonly details: Record<string, unknown>[] = [];
  /** Characters of what is kept. */
  length = 0;

  /** All details, in their order. */
  get all(): readonly ReasoningDetail[] {
    return this.details;
  }

  /** What a client has to hand back, as one text. @returns undefined where there is nothing, or too much to be carried */
  get carried(): string | undefined {
    return this.details.length === 0 || this.length > MAXIMUM_CARRIED_LENGTH ? undefined : textOfDetails(this.details);
  }

  /** Takes the next detail, or the next piece of one. */
  add(detail: ReasoningDetail): void {
    this.length += lengthOf(detail);
    const last = this.details.at(-1);
    if (last === undefined || last['type'] !== detail['type'] || detail['type'] === 'reasoning.encrypted') {
      this.details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const isPiece = (name === 'text' || name === 'summary') && isText(value) && isText(last[name]);
      last[name] = isPiece ? `${String(last[name])}${value}` : value;
    }
  }
}

function lengthOf({ text, summary, data, signature }: ReasoningDetail): number {
  return [text, summary, data, signature].reduce<number>((sum, one) => sum + (isText(one) ? one.length : 0), 64);
}
