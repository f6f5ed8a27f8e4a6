import type { TextPart } from '../text/text-part.js';

/**
 * Looks for numbers in a part, where a word begins with a digit.
 *
 * @param find looks at one of the numbers, which begins here, and returns where the search goes on
 * @returns where the search goes on in the next part
 */
export function searchNumbers(part: TextPart, from: number, find: (start: number, index: number) => number): number {
  const { numbers } = part.words;
  let position = from;
  for (let index = 0; index < numbers.length; index += 1) {
    const start = numbers[index]!;
    if (start >= position) position = find(start, index);
  }
  return Math.max(position, part.to);
}
