import { isObject } from '../../../api/validation/constraints.js';
import type { ChatMessage, ContentPart } from '../../providers/chat-completion.js';
import { isUrl } from '../rules/media-url.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

/** How a data URL begins, with its media type, none of which is longer. */
const DATA_URL = /^data:([^;,]{0,127})[;,]/i;

/** Media of which no form is a text. */
const NO_TEXT =
  /^(?:application\/(?:pdf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[^+]*)|(?:image|audio|video)\/[^+]*)$/i;

/**
 * Whether something in the messages of a request may be a text that content filters cannot read, because it is in base64: a file, or
 * an image or video, that is not declared as one (docs/interface/content-filters.md#what-is-scanned).
 */
export function hidesText({ messages }: Pick<ChatCompletionRequest, 'messages'>): boolean {
  return messages.some(hidesTextInMessage);
}

function hidesTextInMessage({ content, images }: ChatMessage): boolean {
  const shown: unknown[] = Array.isArray(images) ? images : [];
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return [...parts, ...shown].some((part) => isObject(part) && hidesTextInPart(part as ContentPart));
}

function hidesTextInPart({ image_url: image, video_url: video, file }: ContentPart): boolean {
  const isText = [addressIn(image), addressIn(video)].some((url) => isUrl(url) && isHidden(url));
  const data = isObject(file) ? file['file_data'] : undefined;
  return isText || (typeof data === 'string' && isHidden(data));
}

/** What has no address is read like any other text. */
function addressIn(picture: unknown): unknown {
  return isObject(picture) ? picture['url'] : picture;
}

/** What is behind an address is not in the request. What has neither an address nor a media type can be anything. */
function isHidden(source: string): boolean {
  if (/^https?:\/\//i.test(source)) return false;
  const type = DATA_URL.exec(source)?.[1]?.trim();
  return type === undefined || !NO_TEXT.test(type);
}
