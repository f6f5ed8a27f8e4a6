import type { RequestOptions } from '../network/api-client.js';
import type { Refusal } from '../expectations/error-envelope.js';

/** A body that no operation takes, and how it is refused. */
export type MalformedBody = readonly [name: string, request: RequestOptions, refusal: Refusal];

/** How large bodies may be where they may be larger than others, in bytes (docs/interface/conventions.md#bodies). */
export const MEDIUM_BODY = 131_072;
export const LARGE_BODY = 1_048_576;

/**
 * Bodies that are refused whatever the operation (docs/interface/conventions.md#bodies).
 *
 * @param valid a body that the operation takes, to which something is added
 * @param limit how large a body of the operation may be, in bytes
 */
export function malformedBodies(valid: object, limit = 16_384): MalformedBody[] {
  const text = JSON.stringify(valid);
  const withField = (field: string): RequestOptions => ({
    raw: text === '{}' ? `{${field}}` : text.replace('{', `{${field},`),
  });
  return [
    ['no body', {}, whole('unsupported_content_type')],
    ['an empty body', { raw: '' }, whole('malformed_json')],
    [
      'another content type',
      { raw: text, headers: { 'content-type': 'text/plain' } },
      whole('unsupported_content_type'),
    ],
    [
      'a form',
      { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      whole('unsupported_content_type'),
    ],
    [
      'another charset',
      { raw: text, headers: { 'content-type': 'application/json; charset=latin1' } },
      whole('unsupported_content_type'),
    ],
    ['truncated JSON', { raw: text.slice(0, -1) }, whole('malformed_json')],
    ['JSON with a comment', { raw: `${text}//` }, whole('malformed_json')],
    [
      'a byte that is not UTF-8',
      { raw: Buffer.from([...Buffer.from(text.slice(0, -1)), 0xff, 0x7d]) },
      whole('malformed_body'),
    ],
    ['an unknown compression', { raw: text, headers: { 'content-encoding': 'unknown' } }, UNSUPPORTED_ENCODING],
    ['a list', { raw: `[${text}]` }, whole('invalid_parameters')],
    ['null', { raw: 'null' }, whole('invalid_parameters')],
    ['a number', { raw: '1' }, whole('invalid_parameters')],
    ['a string', { raw: JSON.stringify(text) }, whole('invalid_parameters')],
    ['true', { raw: 'true' }, whole('invalid_parameters')],
    ['an unknown field', withField('"surprise":1'), fields('surprise')],
    ['a field of another case', withField('"NAME":"x"'), fields('NAME')],
    ['the prototype', withField('"__proto__":{"kind":"management_key"}'), fields('__proto__')],
    ['the constructor', withField('"constructor":{"prototype":{}}'), fields('constructor')],
    ['NUL in the name of a field', withField('"a\\u0000b":1'), fields('', 'a\u0000b')],
    ['a lone surrogate in the name of a field', withField('"\\ud800":1'), fields('', '\ufffd')],
    ['2 MiB', { raw: `${text.slice(0, -1)},"surprise":"${'x'.repeat(2 * 1024 * 1024)}"}` }, bodyTooLarge(limit)],
  ];
}

/** Those that every operation could refuse in its own way: the others are the reader's, which is the same for all. */
const OF_AN_OPERATION: readonly string[] = ['no body', 'truncated JSON', 'a list', 'an unknown field', '2 MiB'];

/** The malformed bodies that are tested of every operation. `malformed-bodies.exhaustive.spec.ts` sends all of them to all operations. */
export function someMalformedBodies(...operation: Parameters<typeof malformedBodies>): MalformedBody[] {
  return malformedBodies(...operation).filter(([name]) => OF_AN_OPERATION.includes(name));
}

/** How a body is refused that is larger than the operation takes. @param limit in bytes */
export function bodyTooLarge(limit: number): Refusal {
  return { status: 413, reason: 'body_too_large', detail: { limit_bytes: limit } };
}

/** The refusal of a compressed body. */
export const UNSUPPORTED_ENCODING: Refusal = { status: 415, reason: 'unsupported_content_encoding' };

function whole(reason: string): Refusal {
  return { status: 400, reason, paths: [''] };
}

function fields(...paths: string[]): Refusal {
  return { status: 400, reason: 'invalid_parameters', paths };
}
