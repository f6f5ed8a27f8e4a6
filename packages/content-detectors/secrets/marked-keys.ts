import { matchAt } from '../text/sticky-match.js';
import { isAlphanumeric } from '../text/character-kinds.js';
import { looksRandom } from './randomness.js';

/** A kind of key that begins with a random word and is known by what stands in it or behind it. */
interface MarkedForm {
  /** How long the word is that it begins with, as the first and the last length. */
  readonly lengths: readonly [first: number, last: number];
  /** What follows the word: the first character of its mark, or nothing for keys of one word. */
  readonly next: string;
  /** The whole key; each of its parts is bounded. */
  readonly expression: RegExp;
}

/** Written from what the providers publish about their credentials. */
const FORMS: readonly MarkedForm[] = [
  // Secrets of applications in Microsoft Entra.
  { lengths: [5, 5], next: '~', expression: /[A-Za-z0-9]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}/y },
  // Bots of Telegram.
  { lengths: [8, 10], next: ':', expression: /\d{8,10}:AA[A-Za-z0-9_-]{33}/y },
  // HCP Terraform.
  { lengths: [14, 14], next: '.', expression: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/y },
  // Bots of Discord: the first part is their number in base64.
  { lengths: [24, 28], next: '.', expression: /[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/y },
  // Mailchimp: the data center stands at the end.
  { lengths: [32, 32], next: '-', expression: /[0-9a-f]{32}-us\d{1,2}/y },
  // Azure: DevOps, and keys of services that tell themselves.
  { lengths: [84, 84], next: '', expression: /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}/y },
  { lengths: [84, 84], next: '', expression: /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18}[A-Z0-9]{4}[A-Za-z0-9]{4}/y },
];

/** The longest word that one of these begins with. */
export const MAXIMUM_MARKED_LENGTH = 84;

/** By the length of a word: the forms that can begin with it. */
const FORMS_BY_LENGTH: readonly (readonly MarkedForm[])[] = Array.from(
  { length: MAXIMUM_MARKED_LENGTH + 1 },
  (_, length) => FORMS.filter(({ lengths: [first, last] }) => length >= first && length <= last),
);

/** By the length of a word: the code unit that has to follow for a key; 0 where none does. */
export const MARK_OF_LENGTH = Uint16Array.from(FORMS_BY_LENGTH, ([form]) => form?.next.charCodeAt(0) ?? 0);

/** The end of the key that begins with a word of this length: -1 if there is none. */
export function markedKeyEnd(text: string, start: number, length: number): number {
  for (const { expression } of FORMS_BY_LENGTH[length] ?? []) {
    const key = matchAt(expression, text, start);
    if (key === undefined || isAlphanumeric(text.charCodeAt(start + key.length)) || !looksRandom(key)) continue;
    return start + key.length;
  }
  return -1;
}
