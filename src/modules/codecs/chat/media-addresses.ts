import type { ChatMessage, ContentPart } from './chat-completion.js';
import { nonEmptyText, objectOf } from './json-values.js';

/** The message about a text that is not an address of media. */
export const URL_MESSAGE = 'must be a URL (https:// or data:)';

/** Whether a value is an address of media, or media themselves. */
export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^(https?:\/\/|data:)/i.test(value);
}

/** A medium of a part, and the part with another in its place. */
interface AddressedMedium {
  readonly url: string;
  readonly with: (url: string) => ContentPart;
}

const ADDRESS = /^https?:/i;

/** The medium of a part at an address; undefined for any other part. */
function mediumOf(part: ContentPart): AddressedMedium | undefined {
  const [field, name] = part.type === 'file' ? ['file', 'file_data'] : ['image_url', 'url'];
  const medium = part.type === field ? objectOf(part[field]) : undefined;
  const url = nonEmptyText(medium?.[name]);
  if (url === undefined || !ADDRESS.test(url)) return undefined;
  return { url, with: (data) => ({ ...part, [field]: { ...medium, [name]: data } }) };
}

function partsOf({ content }: ChatMessage): readonly ContentPart[] {
  return Array.isArray(content) ? (content as readonly ContentPart[]) : [];
}

/** The addresses of images and files in messages. */
export function mediaAddressesIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  return new Set(messages.flatMap(partsOf).flatMap((part) => mediumOf(part)?.url ?? []));
}

/** Messages with media in place of their addresses. @param media data URLs by their addresses */
export function withMediaEmbedded(
  messages: readonly ChatMessage[],
  media: ReadonlyMap<string, string>,
): readonly ChatMessage[] {
  return messages.map((message) => {
    const parts = partsOf(message);
    if (!parts.some((part) => mediumOf(part) !== undefined)) return message;
    const embedded = parts.map((part) => {
      const medium = mediumOf(part);
      const data = medium && media.get(medium.url);
      return data === undefined ? part : medium!.with(data);
    });
    return { ...message, content: embedded };
  });
}
