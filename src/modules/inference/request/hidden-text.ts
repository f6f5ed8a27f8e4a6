import { isObject } from '../../../api/validation/constraints.js';
import type { ChatMessage, ContentPart } from '../../providers/chat-completion.js';
import { isUrl } from '../rules/media-url.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

/** How a data URL in base64 begins, with its media type, none of which is longer, and what it says besides. */
const BASE64_URL = /^data:([^;,]{0,127})(?:;[^,]{0,1023})?;base64,/i;

/** Media of which no form is a text. */
const NO_TEXT =
  /^(?:application\/(?:pdf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[^+]*)|(?:image|audio|video)\/[^+]*)$/i;

/** The formats of files in embeddings of which none is a text. */
const NO_TEXT_FORMAT = /^(?:pdf|docx?|xlsx?|pptx?|od[tsp])$/i;

/** What begins with how it is to be read; anything else is base64. */
const ADDRESS = /^(?:https?:\/\/|data:)/i;

/**
 * Whether something in the messages of a request may be a text that content filters do not read: a file, an image or a video, that
 * is not declared as one, or is no base64 (docs/interface/content-filters.md#what-is-scanned).
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
  const data = isObject(file) ? file['file_data'] : undefined;
  return isHiddenPicture(image) || isHiddenPicture(video) || (typeof data === 'string' && isHidden(data));
}

/** The same of a part of an input of embeddings: whatever its type, all media in it are sent. */
export function hidesTextInEmbeddedPart(part: Readonly<Record<string, unknown>>): boolean {
  const { image_url: image, input_audio: audio, input_video: video, input_file: file } = part;
  return isHiddenPicture(image) || isHiddenFile(file) || [audio, video].some(isHiddenRecording);
}

function isHiddenPicture(picture: unknown): boolean {
  const url = addressIn(picture);
  return isUrl(url) && isHidden(url);
}

function isHiddenFile(file: unknown): boolean {
  if (!isObject(file) || typeof file['data'] !== 'string') return false;
  const { data, format } = file;
  return ADDRESS.test(data) ? isHidden(data) : typeof format !== 'string' || !NO_TEXT_FORMAT.test(format);
}

/** In base64 it is the sound or the video that its field says. */
function isHiddenRecording(media: unknown): boolean {
  const data = isObject(media) ? media['data'] : undefined;
  return typeof data === 'string' && ADDRESS.test(data) && isHidden(data);
}

/** What has no address is read like any other text. */
function addressIn(picture: unknown): unknown {
  return isObject(picture) ? picture['url'] : picture;
}

/** What is behind an address is not in the request. What has neither an address nor a media type can be anything, and so can what is not in base64. */
function isHidden(source: string): boolean {
  if (/^https?:\/\//i.test(source)) return false;
  const type = BASE64_URL.exec(source)?.[1]?.trim();
  return type === undefined || !NO_TEXT.test(type);
}
