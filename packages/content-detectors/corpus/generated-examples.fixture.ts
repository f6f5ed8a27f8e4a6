import type { DetectorSlug } from '../detectors.js';
import { type Example, exampleOf } from './corpus.fixture.js';
import { SeededRandom } from './seeded-random.fixture.js';
import { tokenChecksum } from '../secrets/token-checksum.js';

/** What stands around a value. */
const FRAMES = [
  '%',
  'see %',
  '"%"',
  "'%'",
  '(%)',
  '[%]',
  'value=%',
  'value: %;',
  '%, and more',
  'wert %!',
  '值为 %。',
  '🙂 % 🙂',
  '{"value":"%"}',
  '<b>%</b>',
  'a\n%\nb',
  '| % |',
];

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALPHANUMERIC = `${LETTERS}0123456789`;
const WORD = 'abcdefghijklmnopqrstuvwxyz';
const HEXADECIMAL = '0123456789abcdef';
const URL_SAFE = `${ALPHANUMERIC}-_`;

const DOMAINS = ['example.com', 'mail.example.org', 'example.co.uk', 'a-b.example.net', 'x1.example.io', 'beispiel.de'];

const PHONES = [
  '+1 @## @## ####',
  '+1@##@######',
  '(@##) @##-####',
  '@##-@##-####',
  '+44 20 #### ####',
  '+49 30 1######',
  '+33 1 ## ## ## ##',
  '+91 9#### #####',
  '+86 13# #### ####',
  '+81 90-####-####',
  '+55 11 9####-####',
  '+61 4## ### ###',
  '+34 6## ### ###',
  '+39 3## #######',
  '020 #### ####',
  '0171 #######',
  '090-####-####',
  '04## ### ###',
  'tel @##@######',
];

const NO_PHONES = [
  '1@# #',
  '1##-###-####',
  '0##-0#',
  '20#@-0@-1#',
  '1@.0@.20@#',
  '#,###,###',
  '1.#######',
  '17########',
  '4### ####',
  '+0########',
  'x@##@######',
  '@##-1##-####x',
  '##:##:##.###',
];

const CARD_PREFIXES: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 16],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['6011', 16],
  ['65', 16],
  ['36', 14],
  ['3530', 16],
  ['62', 16],
  ['2200', 16],
];

const KEYS: readonly ((draw: SeededRandom, missing: number) => string)[] = [
  (draw, missing) => `AKIA${draw.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16 - missing)}`,
  (draw, missing) => {
    const random = draw.text(ALPHANUMERIC, 30);
    return `ghp_${random}${tokenChecksum(random).slice(missing)}`;
  },
  (draw, missing) => `github_pat_${draw.text(ALPHANUMERIC, 22)}_${draw.text(ALPHANUMERIC, 59 - missing)}`,
  (draw, missing) => `glpat-${draw.text(URL_SAFE, 20 - missing)}`,
  (draw, missing) => `hf_${draw.text(LETTERS, 34 - missing)}`,
  (draw, missing) => `AIza${draw.text(URL_SAFE, 35 - missing)}`,
  (draw, missing) => `npm_${draw.text(ALPHANUMERIC, 36 - missing)}`,
  (draw, missing) => `dop_v1_${draw.text(HEXADECIMAL, 64 - missing)}`,
  (draw, missing) => `SG.${draw.text(URL_SAFE, 22)}.${draw.text(URL_SAFE, 43 - missing)}`,
  (draw, missing) => `sk-or-v1-${draw.text(HEXADECIMAL, 64 - missing)}`,
  (draw, missing) => `sk-ant-api03-${draw.text(URL_SAFE, missing === 0 ? 93 : 40)}`,
];

/** The filters whose examples have a form that can be drawn. */
export type DrawnSlug = Exclude<DetectorSlug, 'regex-prompt-injection'>;

const FOUND: Readonly<Record<DrawnSlug, (draw: SeededRandom) => string>> = {
  email: (draw) => `${draw.text(`${WORD}0123456789._-+`.replace('.', ''), 3 + draw.below(12))}@${draw.of(DOMAINS)}`,
  phone: (draw) => {
    const [, word = '', number = ''] = /^(tel )?(.*)$/.exec(draw.digits(draw.of(PHONES)))!;
    return `${word}⟦${number}⟧`;
  },
  ssn: (draw) => `${100 + draw.below(500)}-${10 + draw.below(90)}-${1_000 + draw.below(9_000)}`,
  'credit-card': (draw) => grouped(draw, cardNumber(draw)),
  'ip-address': (draw) =>
    draw.below(2) === 0
      ? [1 + draw.below(255), draw.below(256), draw.below(256), draw.below(256)].join('.')
      : `2001:db8:${draw.text(HEXADECIMAL, 4)}::${draw.text('123456789', 3)}`,
  secrets: (draw) => draw.of(KEYS)(draw, 0),
};

const IGNORED: Readonly<Record<DrawnSlug, (draw: SeededRandom) => string>> = {
  email: (draw) =>
    `${draw.text(WORD, 5)}@${draw.of(['localhost', '1.2.3', '2x.png', 'host.', '.com', '4.17.21', 'x', ''])}`,
  phone: (draw) => draw.digits(draw.of(NO_PHONES)),
  ssn: (draw) =>
    draw.of([
      `${900 + draw.below(100)}-${10 + draw.below(90)}-${1_000 + draw.below(9_000)}`,
      `${100 + draw.below(500)}-00-${1_000 + draw.below(9_000)}`,
      `${100 + draw.below(500)}-${10 + draw.below(90)}-0000`,
      `${100 + draw.below(500)} ${10 + draw.below(90)} ${1_000 + draw.below(9_000)}`,
      `${100 + draw.below(500)}${10 + draw.below(90)}${1_000 + draw.below(9_000)}`,
      `${100 + draw.below(500)}-${10 + draw.below(90)}-${10_000 + draw.below(90_000)}`,
    ]),
  'credit-card': (draw) => {
    const number = cardNumber(draw);
    const wrong = (Number(number.at(-1)) + 1 + draw.below(9)) % 10;
    return grouped(draw, `${number.slice(0, -1)}${wrong}`);
  },
  'ip-address': (draw) =>
    draw.of([
      `${256 + draw.below(700)}.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`,
      `v${draw.below(20)}.${draw.below(20)}.${draw.below(20)}.${draw.below(20)}`,
      `${draw.below(20)}.${draw.below(20)}.${draw.below(20)}`,
      `${draw.below(9)}.${draw.below(9)}.${draw.below(9)}.${draw.below(9)}.${draw.below(9)}`,
      `${10 + draw.below(14)}:${10 + draw.below(50)}:${10 + draw.below(50)}`,
      `2001:db8::${draw.text(HEXADECIMAL, 4)}::${draw.text(HEXADECIMAL, 4)}`,
    ]),
  secrets: (draw) => draw.of(KEYS)(draw, 1 + draw.below(3)),
};

/** All filters whose examples can be drawn. */
export const DRAWN_SLUGS = Object.keys(FOUND) as DrawnSlug[];

/** Examples of what a filter has to find: values that are drawn, between what may stand around them. */
export function drawnExamples(slug: DrawnSlug, count: number): Example[] {
  const draw = new SeededRandom();
  return Array.from({ length: count }, () => {
    const value = FOUND[slug](draw);
    return framed(draw, value.includes('⟦') ? value : `⟦${value}⟧`);
  });
}

/** Examples of what looks like it and is none. */
export function drawnLookAlikes(slug: DrawnSlug, count: number): Example[] {
  const draw = new SeededRandom();
  return Array.from({ length: count }, () => framed(draw, IGNORED[slug](draw)));
}

function framed(draw: SeededRandom, value: string): Example {
  return exampleOf(draw.of(FRAMES).replace('%', () => value));
}

function cardNumber(draw: SeededRandom): string {
  const [prefix, length] = draw.of(CARD_PREFIXES);
  const digits = draw.digits(prefix.padEnd(length - 1, '#'));
  // Every second digit counts twice, beginning with the last of these.
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, index) => total + weight(digit, index), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function weight(digit: number, index: number): number {
  if (index % 2 === 1) return digit;
  return digit > 4 ? 2 * digit - 9 : 2 * digit;
}

function grouped(draw: SeededRandom, number: string): string {
  const separator = draw.of(['', ' ', '-']);
  const groups = number.length === 16 ? /(\d{4})(\d{4})(\d{4})(\d{4})/ : /(\d{4})(\d{6})(\d{4,5})/;
  return groups.exec(number)!.slice(1).join(separator);
}
