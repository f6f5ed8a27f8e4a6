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

/** Counts what a JSON text holds from its beginning on: who reads it says what there is outside of texts. */
export class JsonExtent {
  /** How many lists and objects are open; below zero only in what is no JSON. */
  depth = 0;
  private values = 1;
  private parts = 0;
  /** Of what is open at each depth. A depth that no JSON has takes none. */
  private readonly fields: Int32Array;
  private readonly bounds: Required<ExtentBounds>;

  constructor({ depth, values = Infinity, parts = Infinity, fields = Infinity }: ExtentBounds) {
    this.bounds = { depth, values, parts, fields };
    this.fields = new Int32Array(depth + 1);
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
