import { ADDRESS, DATA_OR_ADDRESS } from './addresses.js';
import {
  ARGUMENTS,
  either,
  type FieldReader,
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  oneOf,
  readFields,
  TEXT,
  unscanned,
  withLead,
  wordOf,
} from './field-readers.js';
import type { ScannedText } from '../../../../content/content-result.js';
import { type JsonObject, objectOf } from '../../../../codecs/chat/json-values.js';
import { KEPT_BLOCK } from '../../../../codecs/chat/messages-fields.js';
import { leadOf } from '../../../../codecs/chat/named-text.js';

/** The form of names of functions that are not scanned (docs/interface/content-filters.md#what-is-scanned). */
export const FUNCTION_NAME = /^[A-Za-z_][\w.:/-]*$/;

/** A name of a function, which calls, results and choices refer to. Of another form it is a text like any other. */
export const NAME = wordOf(FUNCTION_NAME);

/** The form of ids and of data that only a provider can read: its characters cannot be words of a language. */
export const OPAQUE_WORD = /^[\w.:/|=+-]*$/;

const ID = wordOf(OPAQUE_WORD);

/** Recordings, as the providers of models name them. */
export const AUDIO_FORMATS = [
  ...['wav', 'mp3', 'mpeg', 'mpga', 'mp4', 'm4a', 'flac', 'ogg', 'oga', 'opus', 'webm'],
  ...['aac', 'aiff', 'aif', 'wma', 'amr', 'pcm', 'pcm16', 'pcm24', 'g711_ulaw', 'g711_alaw', 'mulaw', 'alaw'],
];

/** The forms of reasoning that clients keep and send back. */
const REASONING_FORMATS = [
  ...['anthropic-claude-v1', 'openai-responses-v1', 'azure-openai-responses-v1', 'xai-responses-v1'],
  ...['google-gemini-v1', 'unknown'],
];

/** The mark of what a provider is to cache. */
export const MARK = objectWith(known({ type: oneOf('ephemeral'), ttl: oneOf('5m', '1h') }));

/** What the Messages form says besides of messages, parts and calls. The order of blocks is the gateway's own note. */
const MARKED = known({
  cache_control: MARK,
  is_error: NUMBER_OR_BOOLEAN,
  type: oneOf('document', 'tool_reference'),
  tool_name: NAME,
  block_order: unscanned(Array.isArray),
});

/** An image or a video. Neither is looked into, but its address is. */
export const PICTURE = either(
  ADDRESS,
  objectWith(known({ url: ADDRESS, detail: oneOf('auto', 'low', 'high', 'original') })),
);

const PART = objectWith(
  known({
    type: oneOf('text', 'image_url', 'input_audio', 'video_url', 'input_video', 'file', KEPT_BLOCK),
    text: TEXT,
    image_url: PICTURE,
    video_url: PICTURE,
    input_audio: objectWith(known({ data: DATA_OR_ADDRESS, format: oneOf(...AUDIO_FORMATS) })),
    file: objectWith(known({ filename: TEXT, file_data: DATA_OR_ADDRESS, file_id: ID })),
    cache_control: MARK,
  }),
  MARKED,
);

/** The content of a message: a text or parts. */
export const CONTENT = either(TEXT, listOf(PART));

/** What signs the thoughts behind a call or a text, in Google's form of chats. */
const SIGNED: FieldReader = {
  ...objectWith(known({ google: objectWith(known({ thought_signature: ID })) })),
  fits: (value) => objectOf(objectOf(value)?.['google']) !== undefined,
};

const CALL = objectWith(
  known({
    id: ID,
    extra_content: SIGNED,
    type: oneOf('function'),
    index: NUMBER_OR_BOOLEAN,
    function: objectWith(known({ name: NAME, arguments: ARGUMENTS })),
  }),
  MARKED,
);

const DETAIL_FIELDS = known({
  type: oneOf('reasoning.text', 'reasoning.summary', 'reasoning.encrypted', 'reasoning.server_tool_call'),
  text: TEXT,
  summary: TEXT,
  format: oneOf(...REASONING_FORMATS),
  id: ID,
  index: NUMBER_OR_BOOLEAN,
  data: ID,
  signature: ID,
});

const DETAIL: FieldReader = {
  fits: objectWith(DETAIL_FIELDS).fits,
  // A signature fits only what the provider has sent: the provider refuses it beside a changed text.
  read: (detail: JsonObject, place, reader) => {
    const read = readFields(detail, place, reader, DETAIL_FIELDS);
    if (read === detail) return detail;
    const { signature: _signature, ...rest } = read;
    return rest;
  },
};

const MESSAGE_FIELDS = {
  role: unscanned((value) => typeof value === 'string'),
  content: CONTENT,
  name: TEXT,
  reasoning: TEXT,
  reasoning_details: listOf(DETAIL),
  extra_content: SIGNED,
  refusal: TEXT,
  tool_calls: listOf(CALL),
  tool_call_id: ID,
  images: listOf(objectWith(known({ type: oneOf('image_url'), image_url: PICTURE, index: NUMBER_OR_BOOLEAN }))),
  audio: objectWith(known({ id: ID, data: DATA_OR_ADDRESS, expires_at: NUMBER_OR_BOOLEAN })),
};

const MESSAGE = objectWith(known(MESSAGE_FIELDS), MARKED);

/** A message whose author has a name, which providers without a field for it get in front of the text. */
function namedMessage(name: string): FieldReader {
  return objectWith(known({ ...MESSAGE_FIELDS, content: withLead(leadOf(name), CONTENT) }), MARKED);
}

/** The messages of a request, each of them said by its role. */
export const MESSAGES = listOf({
  fits: MESSAGE.fits,
  read: (message: JsonObject, place, reader) => {
    const { name, role } = message;
    const form = typeof name === 'string' ? namedMessage(name) : MESSAGE;
    return form.read(message as never, place.as(role as ScannedText['role']), reader);
  },
});
