import { BODY_BOUNDS } from '../../../http/input/json-bounds.js';

/** A name, string or number in a JSON text, with its quotation marks, in code units. */
export interface JsonValuePlace {
  readonly start: number;
  readonly end: number;
}

/** What may come next, outside of values. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** What is being read. */
type Token = 'string' | 'number' | 'word';

const SPACE = /[ \t\n\r]/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const IN_NUMBER = /[-+.\deE]/;
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const LONGEST_WORD = 5;

/** The longest number that is read: others are no JSON to the filters. */
const LONGEST_NUMBER = 1_024;

/** Reads a JSON text while it comes: where its names, strings and numbers stand, and whether it is JSON at all (RFC 8259). */
export class JsonValues {
  /** Whether all that has come can be the beginning of JSON within the bounds of a body. */
  isValid = true;
  private position = 0;
  private expected: Expected = 'value';
  /** Whether each open list or object is an object. */
  private readonly open: boolean[] = [];
  /** Whether it is a list or an object. */
  private isStructure = false;
  private token: Token | undefined;
  private tokenStart = 0;
  /** A number or word as far as it has come. */
  private said = '';
  private isEscaped = false;
  private hexDigits = 0;
  private count = 0;

  /** Whether the text is a list or an object that has ended. Of a text, a number or a word more may come, with which it is something else. */
  get isWhole(): boolean {
    return this.isValid && this.isStructure && this.expected === 'nothing';
  }

  /** Where the value begins that has not ended; the end of what has come where none is open. */
  get openStart(): number {
    return this.token === undefined ? this.position : this.tokenStart;
  }

  /** Reads the next piece. @returns the values that end in it, as far as the text is valid */
  read(piece: string): JsonValuePlace[] {
    const ended: JsonValuePlace[] = [];
    for (let index = 0; index < piece.length && this.isValid; index += 1) {
      this.step(piece.charAt(index), ended);
      this.position += 1;
    }
    return ended;
  }

  /** Says that nothing more comes. @returns the number that is all there is, if so */
  end(): JsonValuePlace[] {
    const ended: JsonValuePlace[] = [];
    if (this.token === 'string') this.isValid = false;
    else if (this.token !== undefined) this.endToken(ended);
    this.isValid &&= this.expected === 'nothing';
    return ended;
  }

  private step(character: string, ended: JsonValuePlace[]): void {
    if (this.token === 'string') this.stepInString(character, ended);
    else if (this.token === 'number' && IN_NUMBER.test(character)) this.say(character, LONGEST_NUMBER);
    else if (this.token === 'word' && /[a-z]/.test(character)) this.say(character, LONGEST_WORD);
    else {
      if (this.token !== undefined) this.endToken(ended);
      if (!SPACE.test(character)) this.begin(character);
    }
  }

  private stepInString(character: string, ended: JsonValuePlace[]): void {
    if (this.hexDigits > 0) {
      this.hexDigits -= 1;
      this.isValid = /[\dA-Fa-f]/.test(character);
    } else if (this.isEscaped) {
      this.isEscaped = false;
      if (character === 'u') this.hexDigits = 4;
      else this.isValid = '"\\/bfnrt'.includes(character);
    } else if (character === '\\') this.isEscaped = true;
    else if (character === '"') {
      ended.push({ start: this.tokenStart, end: this.position + 1 });
      this.token = undefined;
      this.expected = this.expected === 'name' || this.expected === 'name or end' ? 'colon' : this.behindValue();
    } else this.isValid = character >= ' ';
  }

  private say(character: string, longest: number): void {
    this.said += character;
    this.isValid = this.said.length <= longest;
  }

  private endToken(ended: JsonValuePlace[]): void {
    const isNumber = this.token === 'number';
    this.isValid = isNumber ? NUMBER.test(this.said) : WORDS.has(this.said);
    if (isNumber) ended.push({ start: this.tokenStart, end: this.position });
    [this.token, this.said] = [undefined, ''];
    this.expected = this.behindValue();
  }

  private begin(character: string): void {
    const mayBeName = this.expected === 'name' || this.expected === 'name or end';
    const mayBeValue = this.expected === 'value' || this.expected === 'value or end';
    if (character === '"' && (mayBeName || mayBeValue)) this.beginToken('string', '');
    else if (mayBeValue && (character === '{' || character === '[')) {
      this.open.push(character === '{');
      this.isStructure = true;
      this.counted();
      this.expected = character === '{' ? 'name or end' : 'value or end';
      this.isValid &&= this.open.length <= 2 * BODY_BOUNDS.depth;
    } else if (mayBeValue && /[-\d]/.test(character)) this.beginToken('number', character);
    else if (mayBeValue && /[a-z]/.test(character)) this.beginToken('word', character);
    else if (character === ':' && this.expected === 'colon') this.expected = 'value';
    else if (character === ',' && this.expected === 'comma or end') this.expected = this.open.at(-1) ? 'name' : 'value';
    else if ((character === '}' || character === ']') && this.mayEnd(character === '}')) {
      this.open.pop();
      this.expected = this.behindValue();
    } else this.isValid = false;
  }

  private mayEnd(isObject: boolean): boolean {
    if (this.open.length === 0 || this.open.at(-1) !== isObject) return false;
    return this.expected === 'comma or end' || this.expected === (isObject ? 'name or end' : 'value or end');
  }

  private beginToken(token: Token, said: string): void {
    [this.token, this.tokenStart, this.said] = [token, this.position, said];
    this.counted();
  }

  private counted(): void {
    this.count += 1;
    this.isValid &&= this.count <= 2 * BODY_BOUNDS.values;
  }

  private behindValue(): Expected {
    return this.open.length === 0 ? 'nothing' : 'comma or end';
  }
}
