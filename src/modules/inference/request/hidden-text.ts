import { isObject } from '../../../api/validation/constraints.js';
import type { LongWork } from '../../../limits/long-work.js';
import type { ChatMessage, ContentPart } from '../../providers/chat-completion.js';
import { isUrl } from '../rules/media-url.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { isBase64 } from './base64.js';

/** The head of a base64 data URL: media type (127 characters at most) and parameters. */
const BASE64_URL = /^data:([^;,]{0,127})(?:;[^,]{0,1023})?;base64,/i;

/** Media types without any form that is a text. */
const NO_TEXT =
  /^(?:application\/(?:pdf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[^+]*)|(?:image|audio|video)\/[^+]*)$/i;

/** The formats of files in embeddings that are not texts. */
const NO_TEXT_FORMAT = /^(?:pdf|docx?|xlsx?|pptx?|od[tsp])$/i;

/** The beginning of an address or a data URL; any other source is read as base64. */
const ADDRESS = /^(?:https?:\/\/|data:)/i;

/** An image, a recording or a file in a request. */
interface Media {
  readonly source: string;
  /** Whether a field beside it declares that it is not a text, so that its source need not declare it. */
  readonly isDeclared: boolean;
}

type ChatFields = Pick<ChatCompletionRequest, 'messages' | 'prediction'>;

/**
 * Whether something in the messages or the prediction of a request may be a text that content filters do not read: a file, an image, a
 * recording or a video that is not declared as one, or is not base64 (docs/interface/content-filters.md#what-is-scanned).
 *
 * @param work lets others use the event loop where media are large
 * @throws the reason of the work's signal
 */
export function hidesText({ messages, prediction }: ChatFields, work: LongWork): Promise<boolean> {
  const predicted = isObject(prediction) ? mediaInContent(prediction.content) : [];
  return isAnyHidden([...messages.flatMap(mediaInMessage), ...predicted], work);
}

/** Whether something in the parts of inputs of embeddings may be such a text: whatever their type, all media in them are sent. */
export function hidesTextInEmbeddedParts(
  parts: readonly Readonly<Record<string, unknown>>[],
  work: LongWork,
): Promise<boolean> {
  return isAnyHidden(parts.flatMap(mediaInEmbeddedPart), work);
}

function mediaInMessage({ content, images, audio }: ChatMessage): Media[] {
  const shown = Array.isArray(images) ? images.filter(isObject).flatMap(({ image_url: image }) => picture(image)) : [];
  return [...mediaInContent(content), ...shown, ...recording(audio)];
}

function mediaInContent(content: unknown): Media[] {
  return Array.isArray(content) ? content.filter(isObject).flatMap((part) => mediaInPart(part as ContentPart)) : [];
}

function mediaInPart({ image_url: image, video_url: video, input_audio: audio, file }: ContentPart): Media[] {
  const data = isObject(file) ? file['file_data'] : undefined;
  const files = typeof data === 'string' ? [{ source: data, isDeclared: false }] : [];
  return [...picture(image), ...picture(video), ...recording(audio), ...files];
}

function mediaInEmbeddedPart(part: Readonly<Record<string, unknown>>): Media[] {
  const { image_url: image, input_audio: audio, input_video: video, input_file: file } = part;
  return [...picture(image), ...recording(audio), ...recording(video), ...embeddedFile(file)];
}

/** The image or video of a part; one without an address is scanned like any other text. */
function picture(value: unknown): Media[] {
  const url = isObject(value) ? value['url'] : value;
  return isUrl(url) ? [{ source: url, isDeclared: false }] : [];
}

/** The recording or video of a part: its field declares that it is not a text. */
function recording(media: unknown): Media[] {
  const data = isObject(media) ? media['data'] : undefined;
  return typeof data === 'string' ? [{ source: data, isDeclared: true }] : [];
}

function embeddedFile(file: unknown): Media[] {
  if (!isObject(file) || typeof file['data'] !== 'string') return [];
  const { data, format } = file;
  return [{ source: data, isDeclared: typeof format === 'string' && NO_TEXT_FORMAT.test(format) }];
}

async function isAnyHidden(media: readonly Media[], work: LongWork): Promise<boolean> {
  for (const one of media) {
    if (await isHidden(one, work)) return true;
  }
  return false;
}

/** Whether a source may be a text: not if it is an address, whose content is not in the request, nor if it is base64 of media that are not texts. */
async function isHidden({ source, isDeclared }: Media, work: LongWork): Promise<boolean> {
  if (!ADDRESS.test(source)) return !isDeclared || !(await isBase64(source, 0, work));
  if (/^https?:\/\//i.test(source)) return false;
  const [beginning, type] = BASE64_URL.exec(source) ?? [];
  if (beginning === undefined) return true;
  const isNoText = type === '' ? isDeclared : NO_TEXT.test(type!.trim());
  return !isNoText || !(await isBase64(source, beginning.length, work));
}
