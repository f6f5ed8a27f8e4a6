/** Draws the same values in every run. */
export class SeededRandom {
  private state = 20_240_229;

  /** A whole number from 0 up to a bound, which it does not reach. */
  below(bound: number): number {
    // The generator of Park and Miller: of enough quality for examples.
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state % bound;
  }

  /** One of several values. */
  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** So many characters of an alphabet; the first and the last are letters or digits. */
  text(alphabet: string, length: number): string {
    const characters = Array.from({ length }, () => alphabet.charAt(this.below(alphabet.length)));
    const edge = Array.from(alphabet).filter((character) => /[A-Za-z0-9]/.test(character));
    characters[0] = this.of(edge);
    characters[length - 1] = this.of(edge);
    return characters.join('');
  }

  /** A template with each `#` replaced by a digit, and each `@` by one from 2 to 8. */
  digits(template: string): string {
    return template.replace(/[#@]/g, (mark) => String(mark === '#' ? this.below(10) : 2 + this.below(7)));
  }
}
