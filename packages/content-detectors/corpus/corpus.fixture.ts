import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Detector, Span } from '../text/detector.js';
import { TextPart } from '../text/text-part.js';

/** A text, and the parts of it that a filter has to find. */
export interface Example {
  readonly text: string;
  readonly spans: readonly Span[];
}

/**
 * Reads the examples of a filter, one a line. What has to be found stands in double brackets. A broken bar is left out: it
 * keeps those who scan this repository for secrets from taking an example for one. `\n` is a line end.
 */
export function readExamples(name: string): Example[] {
  return readLines(name).map(exampleOf);
}

/** Reads the lines of a file of examples. */
export function readLines(name: string): string[] {
  const lines = readFileSync(join(__dirname, `${name}.txt`), 'utf8').split('\n');
  return lines.filter((line) => line !== '');
}

/** Makes an example of a text with what has to be found in double brackets. */
export function exampleOf(marked: string): Example {
  const spans: Span[] = [];
  let text = '';
  let start = 0;
  for (const character of marked.replaceAll('¦', '').replaceAll('\\n', '\n')) {
    if (character === '⟦') start = text.length;
    else if (character === '⟧') spans.push({ start, end: text.length });
    else text += character;
  }
  return { text, spans };
}

/** What a detector finds in a text, in the order of the text. */
export function detected(detector: Detector, text: string): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < text.length;) {
    from = detector.detect(new TextPart(text, from, text.length), from, (start, end) => spans.push({ start, end }));
  }
  return spans.sort((one, other) => one.start - other.start);
}
