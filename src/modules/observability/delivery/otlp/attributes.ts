import { jsonText } from '../json-text.js';
import { cutText, type TextLimit } from '../text-cut.js';

/** A value of an attribute. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Attributes by their keys. Objects of this type have no prototype, so that any key is one of theirs. */
export type AttributeRecord = Readonly<Record<string, AttributeValue>>;

/** How long values may be. */
export interface ValueLimits {
  readonly text: TextLimit;
  /** The most entries of a list; unlimited without. */
  readonly entries?: number;
}

/** Collects attributes of a span or a resource. What has no value is left out, and a later value replaces an earlier one. */
export class Attributes {
  private readonly values = Object.create(null) as Record<string, AttributeValue>;

  set(key: string, value: AttributeValue | null | undefined): this {
    if (value === null || value === undefined) return this;
    if (typeof value === 'number' && !Number.isFinite(value)) return this;
    this.values[key.toWellFormed()] = wellFormed(value);
    return this;
  }

  /** Sets a value as JSON; what JSON cannot express is left out. */
  setJson(key: string, value: unknown): this {
    return this.set(key, value === null ? null : jsonText(value));
  }

  /** Sets any value of a user: plain ones as they are, all others as JSON. */
  setAny(key: string, value: unknown): this {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain ? this.set(key, value) : this.setJson(key, value);
  }

  setAll(values: Readonly<Record<string, AttributeValue | null | undefined>>): this {
    for (const [key, value] of Object.entries(values)) this.set(key, value);
    return this;
  }

  /** All of them, with long texts and lists cut, each of which is named by a further attribute `<key>.truncated`. */
  within({ text, entries = Infinity }: ValueLimits): AttributeRecord {
    const all = Object.create(null) as Record<string, AttributeValue>;
    for (const [key, value] of Object.entries(this.values)) {
      const kept = cutValue(value, text, entries);
      all[key] = kept;
      if (kept !== value) all[`${key}.truncated`] = true;
    }
    return all;
  }
}

function cutValue(value: AttributeValue, limit: TextLimit, entries: number): AttributeValue {
  if (typeof value === 'string') return cutText(value, limit);
  if (!isList(value)) return value;
  const kept = value.slice(0, entries).map((entry) => cutText(entry, limit));
  const isWhole = kept.length === value.length && kept.every((entry, index) => entry === value[index]);
  return isWhole ? value : kept;
}

function wellFormed(value: AttributeValue): AttributeValue {
  if (typeof value === 'string') return value.toWellFormed();
  return isList(value) ? value.map((entry) => entry.toWellFormed()) : value;
}

function isList(value: AttributeValue): value is readonly string[] {
  return Array.isArray(value);
}
