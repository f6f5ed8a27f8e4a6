import type { ScannedText } from '../../../../content/index.js';
import type { FieldReader, TextReader } from './field-readers.js';
import { PlaceInRequest } from './place-in-request.js';

/** The texts of a request that is no conversation, in their order. @param readsMedia whether texts in media are taken as well */
export function textsOfInput(reader: FieldReader, value: unknown, readsMedia: boolean): ScannedText[] {
  const texts: ScannedText[] = [];
  readInput(
    reader,
    value,
    (text, kind, { role }) => {
      texts.push({ role, text, kind });
      return text;
    },
    readsMedia,
  );
  return texts;
}

/** The texts of a request that a model reads. */
export function promptTextsOfInput(reader: FieldReader, value: unknown): ScannedText[] {
  return textsOfInput(reader, value, false).filter(({ kind }) => kind !== 'address');
}

/** A request with other texts: as many as {@link textsOfInput} gives with those in media, in the same order. */
export function withTextsOfInput<Body>(reader: FieldReader, body: Body, texts: readonly string[]): Body {
  let index = 0;
  return readInput(reader, body, () => texts[index++]!, true) as Body;
}

/** Goes through the texts of a request, or of a part of one. @returns what is to stand in its place */
export function readInput(
  reader: FieldReader,
  value: unknown,
  replace: TextReader['replace'],
  readsMedia = false,
): unknown {
  return reader.read(value as never, PlaceInRequest.ofRequest().as('input'), {
    replace,
    pass: () => undefined,
    readsMedia,
  });
}
