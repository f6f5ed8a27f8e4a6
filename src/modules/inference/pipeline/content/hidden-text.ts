import { isObject } from '../../../../http/validation/constraints.js';
import type { UploadedFile } from '../../../../http/input/uploaded-file.js';
import type { LongWork } from '../../../../concurrency/long-work.js';
import type { ChatMessage, ContentPart } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { isUrl } from '../../../codecs/chat/media-addresses.js';
import { KEPT_BLOCK, messagesFieldsOf } from '../../../codecs/chat/messages-fields.js';
import { isBase64 } from './base64.js';
import { type ClaimedKinds, kindsOfFile, kindsOfFormat, kindsOfType, MediaContent } from './media-content.js';
import { dataIn, ON_THE_WEB } from './media-sources.js';

/** An image, a recording or a file in a request. */
interface Media {
  readonly source: string;
  /** What the fields beside it say that it is; nothing if they leave that to its media type. */
  readonly claims: readonly ClaimedKinds[];
  /** Whether a text in it is not scanned. */
  readonly isUnread?: boolean;
}

/** What media are of which nothing else is said. */
const KNOWN_BY_HEAD: ClaimedKinds = new Set(['picture', 'recording', 'pdf']);

/** What recordings are whose format is not known: what has no head too. */
const ANY_RECORDING: ClaimedKinds = new Set(['recording', 'headless']);

type ChatFields = Pick<ClientChatRequest, 'messages' | 'prediction'>;

/**
 * Whether something in the messages or the prediction of a request may be a text that content filters do not read: a file, an image, a
 * recording or a video that is neither a text in UTF-8 nor what it is said to be, or is not base64 (docs/interface/content-filters.md#media).
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

/** The first bytes of a recording, which say what it is: a whole number of groups in base64. */
const HEAD_BYTES = 1_152;

/**
 * Whether a recording may be a text: it is not looked into, so it must be what its name says.
 *
 * @param voices recordings beside it, as data URLs, which must be what their types say
 */
export function hidesTextInRecording(file: UploadedFile, voices: readonly string[], work: LongWork): Promise<boolean> {
  const claims = [kindsOfFile(file.name) ?? ANY_RECORDING];
  const heard = { source: file.head(HEAD_BYTES).toString('base64'), claims, isUnread: true };
  const shown = voices.map((source) => ({ source, claims: [ANY_RECORDING], isUnread: true }));
  return isAnyHidden([heard, ...shown], work);
}

function mediaInMessage({ content, images, audio }: ChatMessage): Media[] {
  const shown = Array.isArray(images) ? images.filter(isObject).flatMap(({ image_url: image }) => picture(image)) : [];
  return [...mediaInContent(content), ...shown, ...recording(audio)];
}

function mediaInContent(content: unknown): Media[] {
  return Array.isArray(content) ? content.filter(isObject).flatMap((part) => mediaInPart(part as ContentPart)) : [];
}

function mediaInPart(part: ContentPart): Media[] {
  const { image_url: image, video_url: video, input_audio: audio, file } = part;
  const kept = part.type === KEPT_BLOCK ? mediaInBlock(messagesFieldsOf(part)) : [];
  return [...picture(image), ...picture(video), ...recording(audio), ...namedFile(file), ...kept];
}

/** The data anywhere in a block that only providers of its form know: what it is nothing says, and a text in it is not scanned. */
function mediaInBlock(value: unknown): Media[] {
  if (Array.isArray(value)) return value.flatMap(mediaInBlock);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    if (typeof one !== 'string') return mediaInBlock(one);
    return name === 'data' || one.startsWith('data:') ? [{ source: one, claims: [], isUnread: true }] : [];
  });
}

function mediaInEmbeddedPart(part: Readonly<Record<string, unknown>>): Media[] {
  const { image_url: image, input_audio: audio, input_video: video, input_file: file } = part;
  return [...picture(image), ...recording(audio), ...recording(video), ...embeddedFile(file)];
}

/** The image or video of a part; one without an address is scanned like any other text. */
function picture(value: unknown): Media[] {
  const url = isObject(value) ? value['url'] : value;
  return isUrl(url) ? [{ source: url, claims: [] }] : [];
}

/** The recording or video of a part, with its format. */
function recording(media: unknown): Media[] {
  if (!isObject(media) || typeof media['data'] !== 'string') return [];
  const { data, format } = media;
  const kinds = (typeof format === 'string' ? kindsOfFormat(format) : undefined) ?? ANY_RECORDING;
  return [{ source: data, claims: [kinds] }];
}

function namedFile(file: unknown): Media[] {
  if (!isObject(file) || typeof file['file_data'] !== 'string') return [];
  const { file_data: source, filename } = file;
  const kinds = typeof filename === 'string' ? kindsOfFile(filename) : undefined;
  return [{ source, claims: kinds === undefined ? [] : [kinds] }];
}

function embeddedFile(file: unknown): Media[] {
  if (!isObject(file) || typeof file['data'] !== 'string') return [];
  const { data, format } = file;
  const kinds = typeof format === 'string' ? kindsOfFormat(format) : undefined;
  return [{ source: data, claims: kinds === undefined ? [] : [kinds] }];
}

async function isAnyHidden(media: readonly Media[], work: LongWork): Promise<boolean> {
  for (const one of media) {
    if (await isHidden(one, work)) return true;
  }
  return false;
}

/** Whether a source may be a text that filters do not read: not an address, whose content is not in the request. */
async function isHidden({ source, claims, isUnread }: Media, work: LongWork): Promise<boolean> {
  if (ON_THE_WEB.test(source)) return false;
  const data = dataIn(source);
  if (data === undefined || !(await isBase64(source, data.start, work))) return true;
  if (work.mustRest) await work.rest();
  const content = new MediaContent(source, data.start);
  // A text is scanned, whatever it is said to be.
  if (content.text() !== undefined) return isUnread === true;
  const ofType = kindsOfType(data.type);
  return !isClaimed(content, ofType === undefined ? claims : [ofType, ...claims]);
}

/** Whether media are what all that is said of them allows. */
function isClaimed(content: MediaContent, claims: readonly ClaimedKinds[]): boolean {
  const { kind } = content;
  if (claims.length === 0) return kind !== undefined && KNOWN_BY_HEAD.has(kind);
  return claims.every((kinds) =>
    kind === undefined || !kinds.has(kind) ? kinds.has('headless') && !content.resemblesText : true,
  );
}
