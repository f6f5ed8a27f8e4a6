/** The message about a text that is not an address of media. */
export const URL_MESSAGE = 'must be a URL (https:// or data:)';

/** Whether a value is an address of media, or media themselves. */
export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^(https?:\/\/|data:)/i.test(value);
}
