const TEXT = 0x22;
const ESCAPE = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Follows the arguments of a call of a tool while they come, of which it keeps nothing. */
export class CalledArguments {
  /** Whether there are none yet. */
  areEmpty = true;
  /** The first character that is no blank. */
  private first = '';
  private depth = 0;
  private isInText = false;
  private isEscaped = false;

  /** Whether an object, a list or a text has begun and not ended, so that more has to come. */
  get areOpen(): boolean {
    return this.depth > 0 || this.isInText;
  }

  /** Whether they are an object or a list that has ended, behind which nothing can come. */
  get areWhole(): boolean {
    return (this.first === '{' || this.first === '[') && !this.areOpen;
  }

  add(text: string): void {
    if (text !== '') this.areEmpty = false;
    if (this.first === '') this.first = text.trimStart().charAt(0);
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.isInText) this.followText(code);
      else if (code === TEXT) this.isInText = true;
      else if (OPENING.has(code)) this.depth += 1;
      else if (CLOSING.has(code)) this.depth -= 1;
    }
  }

  private followText(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === ESCAPE) this.isEscaped = true;
    else if (code === TEXT) this.isInText = false;
  }
}
