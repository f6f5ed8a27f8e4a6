/** A code unit is looked up by so many bits: others that share them are told apart by the expression. */
const LOOKED_AT = 0xfff;

/** How many beginnings are told apart: each bit of a number stands for one, or for several of a longer list. */
const BITS = 31;

/** The bit of those that are shorter than what is looked at: beside others it would stand for nearly everything. */
const SHORT = 1 << BITS;

/** How many code units of a beginning are looked at. */
const LENGTH = 3;

/** Where one of many phrases may begin, which is seen by three code units without trying an expression. */
export class Beginnings {
  private readonly tables = Array.from({ length: LENGTH }, () => new Int32Array(LOOKED_AT + 1));

  /** @param beginnings of either case */
  constructor(beginnings: readonly string[]) {
    for (const [index, beginning] of beginnings.entries()) {
      this.add(beginning, beginning.length < LENGTH ? SHORT : 1 << (index % BITS));
    }
  }

  /**
   * The next place in a list of code units where one may begin.
   *
   * @param codes have two numbers at least behind the end
   * @param end where none begins any more, which is given when there is none before
   */
  next(codes: Uint16Array, from: number, end: number): number {
    const [first, second, third] = this.tables as [Int32Array, Int32Array, Int32Array];
    let position = from;
    while (position < end) {
      const begun = first[codes[position]! & LOOKED_AT]!;
      if (
        begun !== 0 &&
        (begun & second[codes[position + 1]! & LOOKED_AT]! & third[codes[position + 2]! & LOOKED_AT]!) !== 0
      )
        return position;
      position += 1;
    }
    return end;
  }

  private add(beginning: string, bit: number): void {
    for (const [index, table] of this.tables.entries()) {
      // Behind a short one stands anything.
      if (index >= beginning.length) {
        for (let code = 0; code <= LOOKED_AT; code += 1) table[code]! |= bit;
        continue;
      }
      const unit = beginning.charAt(index);
      for (const written of [unit, unit.toLowerCase(), unit.toUpperCase()]) {
        table[written.charCodeAt(0) & LOOKED_AT]! |= bit;
      }
    }
  }
}
