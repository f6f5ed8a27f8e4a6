import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** The characters of a tag between its quotation marks. */
const TAG_LENGTH = 27;

/** The tags of answers that are being given. */
const tags = new WeakMap<object, string>();

/**
 * The strong entity tag of settings (RFC 9110, section 8.8.3): the same on every replica, and another one as soon as a setting has another
 * value. What an answer shows besides, as usage, has no part in it.
 *
 * @param identity tells objects with the same settings apart
 * @param settings as the audit trail has them
 */
export function entityTagOf(identity: string, settings: Readonly<Record<string, unknown>>): string {
  const digest = createHash('sha256')
    .update(canonicalJson([identity, settings]))
    .digest('base64url');
  return `"${digest.slice(0, TAG_LENGTH)}"`;
}

/** Gives an answer the header `ETag`. @returns the same answer */
export function withEntityTag<Answer extends object>(answer: Answer, tag: string): Answer {
  tags.set(answer, tag);
  return answer;
}

/** The tag that {@link withEntityTag} has given an answer. */
export function tagOfAnswer(answer: unknown): string | undefined {
  return typeof answer === 'object' && answer !== null ? tags.get(answer) : undefined;
}
