import { isUrl } from '../../rules/media-url.js';
import type { FieldReader } from './field-readers.js';

const ON_THE_WEB = /^https?:\/\//i;

/** How media in base64 begin whose type says nothing besides what they are. */
const PLAIN_DATA = /^data:[^;,]{0,127};base64,/i;

/**
 * The address of media, or media themselves. What is behind an address is not looked into, but the provider gets the address and asks
 * for it, with all that it says (docs/interface/content-filters.md#what-is-scanned).
 */
export const ADDRESS: FieldReader = addressOr(isUrl);

/** Data of media in base64, or what {@link ADDRESS} takes. */
export const DATA_OR_ADDRESS: FieldReader = addressOr((value) => typeof value === 'string');

function addressOr(fits: (value: unknown) => boolean): FieldReader {
  return {
    fits,
    read: (source: string, place, reader) => {
      const length = addressLength(source);
      if (length === 0) return source;
      const address = source.slice(0, length);
      const read = reader.replace(address, 'address', place, true);
      return read === address ? source : read + source.slice(length);
    },
  };
}

/** How much of a source is its address, or describes its media: none where it says nothing but their type. */
function addressLength(source: string): number {
  if (ON_THE_WEB.test(source)) return source.length;
  if (!isUrl(source) || PLAIN_DATA.test(source)) return 0;
  const comma = source.indexOf(',');
  return comma === -1 ? source.length : comma;
}
