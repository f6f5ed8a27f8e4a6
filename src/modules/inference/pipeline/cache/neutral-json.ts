import { MESSAGES_FIELDS } from '../../../codecs/chat/messages-fields.js';

/** The field under which JSON has those of the Messages form, which objects have under a symbol. No other field begins with a NUL. */
const MESSAGES = '\0messages';

/** Ends the writing of what is not kept. */
class NotKept extends Error {}

/**
 * A part of a request or of an answer as JSON, with what only the Messages form can say.
 *
 * @param maximumLength of its texts and names together, in characters
 * @returns undefined for what is longer, or cannot be read back as it was
 */
export function neutralJson(value: unknown, maximumLength: number): string | undefined {
  const plain = neutralValue(value, maximumLength);
  return plain === undefined ? undefined : JSON.stringify(plain);
}

/** The value that {@link neutralJson} writes. */
export function neutralValue(value: unknown, maximumLength: number): unknown {
  try {
    return new Writer(maximumLength).written(value);
  } catch (error) {
    if (error instanceof NotKept) return undefined;
    throw error;
  }
}

/** What {@link neutralJson} has written. */
export function readNeutral(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readNeutral);
  if (typeof value !== 'object' || value === null) return value;
  const { [MESSAGES]: ofMessages, ...others } = value as Readonly<Record<string, unknown>>;
  const read: object = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, readNeutral(field)]));
  return ofMessages === undefined ? read : Object.assign(read, { [MESSAGES_FIELDS]: readNeutral(ofMessages) });
}

class Writer {
  constructor(private left: number) {}

  written(value: unknown): unknown {
    // Each value takes a character at least.
    this.count(1);
    if (typeof value === 'string') return this.counted(value);
    if (Array.isArray(value)) return value.map((item) => this.written(item));
    if (typeof value === 'object' && value !== null) return this.object(value);
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new NotKept();
  }

  private object(value: object): object {
    // What a class holds is not all in its fields: an uploaded file, for example, would lose its bytes.
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new NotKept();
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    if (fields.some(([name]) => name.startsWith('\0'))) throw new NotKept();
    const written = fields.map(([name, field]) => [this.counted(name), this.written(field)] as const);
    const ofMessages: unknown = Reflect.get(value, MESSAGES_FIELDS);
    return Object.fromEntries(
      ofMessages === undefined ? written : [...written, [MESSAGES, this.written(ofMessages)] as const],
    );
  }

  private counted(text: string): string {
    this.count(text.length);
    return text;
  }

  private count(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new NotKept();
  }
}
