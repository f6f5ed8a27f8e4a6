import fc from 'fast-check';
import { healedJson } from './healed-json.js';

describe('healedJson', () => {
  it.each([
    ['marks of code', '```json\n{"a": [1, 2]}\n```', { a: [1, 2] }],
    ['words around it', 'Here you are: {"a": 1} Is that fine?', { a: 1 }],
    ['a comma at the end', '{"a": [1, 2,], "b": 2,}', { a: [1, 2], b: 2 }],
    ['no comma', '{"a": 1 "b": [1 2]}', { a: 1, b: [1, 2] }],
    ['other quotes', `{'a': 'say "no"', "b": 'it\\'s'}`, { a: 'say "no"', b: "it's" }],
    ['names without quotes', '{a: 1, _b: -2.5e3}', { a: 1, _b: -2500 }],
    ['words of other languages', '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
    ['line breaks in a text', '{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    ['brackets that are not closed', '{"a": [{"b": 1}', { a: [{ b: 1 }] }],
    ['escapes', '{"a": "\\u00e9\\n\\\\",}', { a: 'é\n\\' }],
  ])('reads a document with %s', (_, text, value) => {
    expect(JSON.parse(healedJson(text)!)).toEqual(value);
  });

  it('leaves a document alone that is JSON, and sets no prototype', () => {
    expect(healedJson(' {"a": 1}')).toBeUndefined();
    expect(healedJson('{"__proto__": {"a": 1},}')).toBe('{"__proto__":{"a":1}}');
  });

  it.each(['', 'no document', '{"a": maybe}', '{"a": "cut', '{"a" 1}', '{1: 2}', `{"a": "\\u12",}`, '['.repeat(300)])(
    'gives nothing for %j',
    (text) => {
      expect(healedJson(text)).toBeUndefined();
    },
  );

  it.each([
    ['values', `[${'1 '.repeat(49_999)}`, `[${'1 '.repeat(50_000)}`],
    ['characters', `["${'a'.repeat(524_285)}"`, `["${'a'.repeat(524_286)}"`],
  ])('reads a document of very many %s, and not one of more', (_, text, longer) => {
    expect([healedJson(text), healedJson(longer)]).toEqual([expect.any(String), undefined]);
  });

  it('reads every document whose last bracket is gone as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (list) => {
        const text = JSON.stringify(list);
        expect(healedJson(text.slice(0, -1))).toBe(text);
      }),
    );
  });
});
