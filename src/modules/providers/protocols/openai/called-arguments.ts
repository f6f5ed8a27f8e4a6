const TEXT = 0x22;
const ESCAPE = 0x5c;
/** Of lists and objects. */
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;

/** Follows the arguments of a tool call while they come, without keeping them. */
export class CalledArguments {
  /** Whether there are no arguments yet. */
  areEmpty = true;
  /** The first character that is not a blank. */
  private first = '';
  private depth = 0;
  private isInText = false;
  private isEscaped = false;

  /** Whether an object, a list or a text has begun and not ended, so that more has to come. */
  get areOpen(): boolean {
    return this.depth > 0 || this.isInText;
  }

  /** Whether the arguments are an object or a list that has ended, so that no more can come. */
  get areWhole(): boolean {
    return (this.first === '{' || this.first === '[') && !this.areOpen;
  }

  add(text: string): void {
    if (text !== '') this.areEmpty = false;
    if (this.first === '') this.first = text.trimStart().charAt(0);
    // Fields would take each character of a long text several times as long.
    let { depth, isInText, isEscaped } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (code === TEXT) isInText = !isInText;
      else if (isInText) isEscaped = code === ESCAPE;
      else if (code === OPENING[0] || code === OPENING[1]) depth += 1;
      else if (code === CLOSING[0] || code === CLOSING[1]) depth -= 1;
    }
    [this.depth, this.isInText, this.isEscaped] = [depth, isInText, isEscaped];
  }
}
