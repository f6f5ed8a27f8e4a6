/** How many lists and objects within each other a document has at most: writing one that nests deeper would overflow the stack. */
export const DEEPEST_NESTING = 200;

/** How many lists, objects and fields a document has at most: each takes many times as long, and as much memory, as its text. */
export const MOST_PARTS = 2_000_000;

/** The same of an event of a stream, which brings some tokens; a whole answer can have the probabilities of many. */
export const MOST_PARTS_OF_EVENT = 100_000;

/** How many fields one object has at most: each of a larger one takes several times as long to copy, and answers need some dozens. */
export const MOST_FIELDS = 20_000;

/** Characters of the shortest document that nests too deep. */
const SHORTEST_TO_READ = 2 * DEEPEST_NESTING;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/** Counts the parts of a document from its beginning on: who reads it says what there is outside of texts. */
export class JsonExtent {
  /** How many lists and objects are open; below zero only in what is no JSON. */
  depth = 0;
  private parts = 0;
  /** Of what is open at each depth. A depth that no JSON has takes none. */
  private readonly fields = new Int32Array(DEEPEST_NESTING + 1);

  /** @param mostParts how many lists, objects and fields the document may have */
  constructor(private readonly mostParts: number) {}

  /** A list or an object begins. @returns whether the document may still be worked with */
  begin(): boolean {
    this.depth += 1;
    this.parts += 1;
    if (this.depth > DEEPEST_NESTING) return false;
    this.fields[this.depth] = 0;
    return this.parts <= this.mostParts;
  }

  /** What was begun last ends. */
  end(): void {
    this.depth -= 1;
  }

  /** The object that was begun last has another field. @returns whether the document may still be worked with */
  addField(): boolean {
    this.parts += 1;
    const count = (this.fields[this.depth] ?? 0) + 1;
    this.fields[this.depth] = count;
    return count <= MOST_FIELDS && this.parts <= this.mostParts;
  }
}

/**
 * Whether a document that another party wrote has so few parts that it can be parsed and written again
 * (docs/interface/providers.md#calls). Whether it is JSON at all is left to the parser.
 *
 * @param mostParts how many lists, objects and fields it may have
 */
export function isOfParsableExtent(text: string, mostParts = MOST_PARTS): boolean {
  if (text.length <= SHORTEST_TO_READ) return true;
  const extent = new JsonExtent(mostParts);
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) position = endOfString(text, position);
    else if (code === COLON) {
      if (!extent.addField()) return false;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) extent.end();
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (!extent.begin()) return false;
    }
  }
  return true;
}

/** The position of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
