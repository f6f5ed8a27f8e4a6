/** Bounds of what a JSON text holds, as far as it has any. */
export interface ExtentBounds {
  /** How many lists and objects within each other it has at most. */
  readonly depth: number;
  /** How many values it has at most, if each list and object is taken for one that is not empty. */
  readonly values?: number;
  /** How many lists, objects and fields it has at most: each takes many times as long, and as much memory, as its text. */
  readonly parts?: number;
  /** How many fields one object has at most. */
  readonly fields?: number;
}

/**
 * The bytes of the heap that V8 needs for each part of a parsed document besides the characters of its texts: above the usual cost
 * of a part, and close to the highest cost that a hostile document can cause.
 */
const WEIGHTS = { text: 24, container: 56, field: 16, value: 12 } as const;

/** Counts what a JSON text holds from its beginning on: who reads it says what there is outside of texts. */
export class JsonExtent {
  /** How many lists and objects are open; below zero only in what is no JSON. */
  depth = 0;
  private values = 1;
  private parts = 0;
  private fieldCount = 0;
  private texts = 0;
  private textLength = 0;
  /** Of what is open at each depth. A depth that no JSON has takes none. */
  private readonly fields: Int32Array;
  private readonly bounds: Required<ExtentBounds>;

  constructor({ depth, values = Infinity, parts = Infinity, fields = Infinity }: ExtentBounds) {
    this.bounds = { depth, values, parts, fields };
    this.fields = new Int32Array(depth + 1);
  }

  /**
   * Estimates the bytes of the heap that the parsed document takes.
   *
   * @param width the bytes that a character of a text takes: 1 where all are of Latin-1, else 2
   */
  weight(width: 1 | 2): number {
    const { texts, textLength, parts, values } = this;
    const containers = parts - this.fieldCount;
    return (
      textLength * width +
      texts * WEIGHTS.text +
      containers * WEIGHTS.container +
      this.fieldCount * WEIGHTS.field +
      values * WEIGHTS.value
    );
  }

  /** A text ends, be it a value or the name of a field. @param length of the text as it is written */
  addText(length: number): void {
    this.texts += 1;
    this.textLength += length;
  }

  /** A list or an object begins. @returns whether the text is still within the bounds */
  begin(): boolean {
    this.depth += 1;
    this.parts += 1;
    this.values += 1;
    if (this.depth > this.bounds.depth) return false;
    this.fields[this.depth] = 0;
    return this.parts <= this.bounds.parts && this.values <= this.bounds.values;
  }

  /** What was begun last ends. */
  end(): void {
    this.depth -= 1;
  }

  /** The object that was begun last has another field. @returns whether the text is still within the bounds */
  addField(): boolean {
    this.parts += 1;
    this.fieldCount += 1;
    const count = (this.fields[this.depth] ?? 0) + 1;
    this.fields[this.depth] = count;
    return count <= this.bounds.fields && this.parts <= this.bounds.parts;
  }

  /** What was begun last has an entry after another one. @returns whether the text is still within the bounds */
  addEntry(): boolean {
    this.values += 1;
    return this.values <= this.bounds.values;
  }
}
