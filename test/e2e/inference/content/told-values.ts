import { streamedEvents } from '../providers/plain-clients.js';

type Fields = Readonly<Record<string, unknown>>;

/** Values that filters find. */
export const ADDRESS = 'jane.roe@wolfmail.example';

export const CARD = '4111 1111 1111 1111';

/** What no byte of an answer may tell: the shortest part of a value that says something of it. */
const PART_LENGTH = 5;

const PARTS = [ADDRESS, CARD, CARD.replaceAll(' ', '')].flatMap((value) =>
  Array.from({ length: value.length - PART_LENGTH + 1 }, (_, start) => value.slice(start, start + PART_LENGTH)),
);

/** Settings of a guardrail whose filters look for them in all of an answer. */
const filtering = (action: string): object => ({
  content_filter_builtins: ['email', 'credit-card'].map((slug) => ({
    slug,
    action,
    applies_to: ['response', 'tool_call'],
  })),
});

export const BLOCKED = filtering('block');
export const REDACTED = filtering('redact');

/** All texts in some JSON, those of one place behind one another, whichever event they are in. */
function textsIn(values: readonly unknown[]): readonly string[] {
  const texts = new Map<string, string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'string') texts.set(place, `${texts.get(place) ?? ''}${value}`);
    else if (typeof value === 'number') texts.set(`${place} ${value}`, String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        texts.set(`${place} names`, `${texts.get(`${place} names`) ?? ''} ${name}`);
        add(`${place}.${name}`, part);
      }
    }
  };
  for (const value of values) {
    const { type, output_index: output, index } = value as Fields;
    add([type, output, index].join(), value);
  }
  return [...texts.values()];
}

/** A text as someone would read it who undoes all that may hide a value. */
function undone(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll('&#64;', '@')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
}

/** The parts of values that an answer tells, in its bytes as they came and in all texts that it is put together to. */
export function toldBy(text: string): readonly string[] {
  const bodies = text.startsWith('{') ? [JSON.parse(text) as unknown] : streamedEvents(text);
  const read = [text, ...textsIn(bodies)].map(undone);
  return PARTS.filter((part) => read.some((each) => each.includes(part)));
}
