import { isUrl } from '../../../../codecs/chat/media-addresses.js';
import { MediaContent } from '../media-content.js';
import { dataIn, ON_THE_WEB } from '../media-sources.js';
import type { FieldReader, TextReader } from './field-readers.js';
import type { PlaceInRequest } from './place-in-request.js';

/** Types of media. A type can be any word, so others are read. */
const TYPES = [
  'image/(?:png|jpe?g|gif|webp|avif|heic|heif|bmp|tiff)',
  'audio/(?:(?:x-|vnd\\.)?wave?|mp3|mpeg|mp4|(?:x-)?m4a|(?:x-)?flac|ogg|opus|(?:x-)?aac|(?:x-)?aiff|webm|pcm|l16)',
  'video/(?:mp4|mpeg|mpg|mov|quicktime|webm|ogg|(?:x-)?flv|(?:x-ms-)?wmv|3gpp|x-msvideo|avi|x-matroska)',
  'application/(?:pdf|msword|vnd\\.ms-(?:excel|powerpoint)|vnd\\.oasis\\.opendocument\\.(?:text|spreadsheet|presentation))',
  'application/vnd\\.openxmlformats-officedocument\\.(?:wordprocessingml\\.document|spreadsheetml\\.sheet|presentationml\\.presentation)',
];

/** How media in base64 begin that say nothing besides what they are. */
const PLAIN_DATA = new RegExp(`^data:(?:${TYPES.join('|')})?;base64,`, 'i');

/**
 * The address of media, or media themselves. What is at an address is not scanned, but the address itself is, because the provider
 * calls it as it is, and so are media that are a text (docs/interface/content-filters.md#media).
 */
export const ADDRESS: FieldReader = addressOr(isUrl);

/** Data of media in base64, or what {@link ADDRESS} takes. */
export const DATA_OR_ADDRESS: FieldReader = addressOr((value) => typeof value === 'string');

function addressOr(fits: (value: unknown) => boolean): FieldReader {
  return {
    fits,
    read: (source: string, place, reader) => {
      const length = addressLength(source);
      const address = source.slice(0, length);
      const read = length === 0 ? address : reader.replace(address, 'address', place, true);
      const data = reader.readsMedia === true ? readData(source, length, place, reader) : undefined;
      if (data !== undefined) return read + data;
      return read === address ? source : read + source.slice(length);
    },
  };
}

/**
 * Reads data that are a text.
 *
 * @param from where what is left of the source begins
 * @returns what is to stand from there on, with the text in base64; undefined if nothing in it is replaced
 */
function readData(source: string, from: number, place: PlaceInRequest, reader: TextReader): string | undefined {
  const data = dataIn(source);
  const text = data && new MediaContent(source, data.start).text();
  if (data === undefined || text === undefined || text === '') return undefined;
  const read = reader.replace(text, 'text', place, false);
  return read === text ? undefined : source.slice(from, data.start) + Buffer.from(read).toString('base64');
}

/** How much of a source is its address, or describes its media: none where it says nothing but a type that is known. */
function addressLength(source: string): number {
  if (ON_THE_WEB.test(source)) return source.length;
  if (!isUrl(source) || PLAIN_DATA.test(source)) return 0;
  const comma = source.indexOf(',');
  return comma === -1 ? source.length : comma;
}
