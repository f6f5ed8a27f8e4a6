import { isObject } from '../../../../../http/validation/constraints.js';
import type { ScannedText } from '../../../../content/content-result.js';
import type { JsonObject } from '../../../../codecs/chat/json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf, withMessagesFields } from '../../../../codecs/chat/messages-fields.js';
import type { PlaceInRequest } from './place-in-request.js';

/** Who goes through the texts of a request. */
export interface TextReader {
  /**
   * Takes a text.
   *
   * @param isVerbatim whether it stands in the request as it is given: what is described in JSON is written anew
   * @param lead what providers may put in front of it
   * @returns what is to stand in its place
   */
  readonly replace: (
    text: string,
    kind: ScannedText['kind'],
    place: PlaceInRequest,
    isVerbatim: boolean,
    lead?: string,
  ) => string;
  /** Whether texts in media are taken as well. */
  readonly readsMedia?: boolean;
  /** Takes a name or an id that stays as it is, because others refer to it. */
  readonly pass: (word: string) => void;
}

/** Reads a field that the gateway knows. */
export interface FieldReader {
  /** Whether a value has the form that is read; other values are read as JSON. */
  readonly fits: (value: unknown) => boolean;
  /** Reads a value that fits. @returns what is to stand in its place; the value itself where nothing is replaced */
  readonly read: (value: never, place: PlaceInRequest, reader: TextReader) => unknown;
}

/** The fields of an object that are known, by their names. */
export type KnownFields = Pick<ReadonlyMap<string, FieldReader>, 'get'>;

/** The fields of an object that has no known ones. */
const NOTHING: KnownFields = new Map();

/** Lists what is known of an object. */
export function known(fields: Readonly<Record<string, FieldReader>>): KnownFields {
  return new Map(Object.entries(fields));
}

/** A value that filters do not scan, if it has the expected form. */
export function unscanned(fits: (value: unknown) => boolean): FieldReader {
  return { fits, read: (value: unknown) => value };
}

/** One of the words of the interface. */
export function oneOf(...words: readonly string[]): FieldReader {
  return unscanned((value) => typeof value === 'string' && words.includes(value));
}

/** A number or a boolean, which filters do not scan. */
export const NUMBER_OR_BOOLEAN = unscanned((value) => typeof value === 'number' || typeof value === 'boolean');

/** A text that stands in the request as it is. */
export const TEXT = verbatim('text');

/** The arguments of a call, which are JSON or are meant to be. */
export const ARGUMENTS = verbatim('tool_arguments');

function verbatim(kind: ScannedText['kind']): FieldReader {
  return {
    fits: isText,
    read: (text: string, place: PlaceInRequest, reader: TextReader) => reader.replace(text, kind, place, true),
  };
}

/** A text that is only passed if it is a word of this form; else it is read like any other. */
export function wordOf(form: RegExp): FieldReader {
  return {
    fits: isText,
    read: (text: string, place: PlaceInRequest, reader: TextReader) => {
      if (!form.test(text)) return reader.replace(text, 'text', place, true);
      reader.pass(text);
      return text;
    },
  };
}

/** What is described in JSON, as one text that stays JSON, however many descriptions there are. */
export const JSON_TEXT: FieldReader = { fits: isObject, read: readJson };

/**
 * An object with these fields. Its other fields are read as one JSON, for their names can be texts as well.
 *
 * @param ofForm what is known of its fields of the Messages form
 */
export function objectWith(fields: KnownFields, ofForm: KnownFields = NOTHING): FieldReader {
  return {
    fits: isObject,
    read: (value: JsonObject, place: PlaceInRequest, reader: TextReader) => {
      const read = readFields(value, place, reader, fields);
      const form = messagesFieldsOf(value);
      const readForm = Object.keys(form).length === 0 ? form : readFields(form, place, reader, ofForm);
      return readForm === form ? read : { ...read, [MESSAGES_FIELDS]: readForm };
    },
  };
}

/** A list with this reader for each item. */
export function listOf({ fits, read }: FieldReader): FieldReader {
  return {
    fits: (value) => Array.isArray(value) && value.every(fits),
    read: (list: readonly never[], place: PlaceInRequest, reader: TextReader) => {
      const items: readonly unknown[] = list.map((item, index) => read(item, place.at(index), reader));
      return items.every((item, index) => item === list[index]) ? list : items;
    },
  };
}

/** Reads the first text of a value as what a provider gets of it: with what stands in front of it there. */
export function withLead(lead: string, { fits, read }: FieldReader): FieldReader {
  return {
    fits,
    read: (value: never, place: PlaceInRequest, reader: TextReader) => {
      let isFirst = true;
      const replace: TextReader['replace'] = (text, kind, where, isVerbatim) => {
        const itsLead = isFirst && kind === 'text' && isVerbatim ? lead : undefined;
        isFirst = false;
        return reader.replace(text, kind, where, isVerbatim, itsLead);
      };
      return read(value, place, { ...reader, replace });
    },
  };
}

/** A value of several possible forms: the first reader that it fits reads it. */
export function either(...readers: readonly FieldReader[]): FieldReader {
  const readerOf = (value: unknown): FieldReader | undefined => readers.find(({ fits }) => fits(value));
  return {
    fits: (value) => readerOf(value) !== undefined,
    read: (value: never, place: PlaceInRequest, reader: TextReader) => readerOf(value)!.read(value, place, reader),
  };
}

/** Reads a value as said by this role, whichever role says what is around it. */
export function saidBy(role: ScannedText['role'], { fits, read }: FieldReader): FieldReader {
  return {
    fits,
    read: (value: never, place: PlaceInRequest, reader: TextReader) => read(value, place.as(role), reader),
  };
}

/**
 * Reads the fields of an object: those that are known by themselves, in their order, and then all others as one JSON. A field
 * that is absent or null says nothing where its name is known.
 *
 * @returns the object itself where nothing is replaced
 */
export function readFields<Fields extends JsonObject>(
  object: Fields,
  place: PlaceInRequest,
  reader: TextReader,
  fields: KnownFields,
): Fields {
  const changes: Record<string, unknown> = {};
  const kept: string[] = [];
  const others: string[] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    const field = fields.get(name);
    const isSilent = value === undefined || (field !== undefined && value === null);
    if (!isSilent && field?.fits(value) !== true) {
      others.push(name);
      continue;
    }
    kept.push(name);
    if (isSilent) continue;
    const read = field!.read(value as never, place.at(name), reader);
    if (read !== value) changes[name] = read;
  }
  const found = others.length === 0 ? undefined : picked(object, others);
  const read = found && readJson(found, place, reader);
  if (read === found) return Object.keys(changes).length === 0 ? object : { ...object, ...changes };
  // Into what has been parsed: to spread that would take longer than all else where the other fields are very many.
  const whole = Object.assign(read!, picked(object, kept), changes);
  return withMessagesFields(whole as unknown as Fields, messagesFieldsOf(object));
}

/** Some fields of an object, also such as `__proto__`. */
function picked(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

function readJson<Described extends object>(
  described: Described,
  place: PlaceInRequest,
  reader: TextReader,
): Described {
  const json = JSON.stringify(described);
  const replaced = reader.replace(json, 'tool_arguments', place, false);
  return replaced === json ? described : (JSON.parse(replaced) as Described);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** No provider gets the preferences themselves. */
const PREFERENCE = unscanned(() => true);

/** The preferences of a request whose providers get options: these are scanned as what they are sent as. */
export const OPTIONED_PREFERENCES = objectWith({ get: (name) => (name === 'options' ? JSON_TEXT : PREFERENCE) });
