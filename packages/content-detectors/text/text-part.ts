import { inPlainCharacters } from './plain-characters.js';
import { type Words, WordRoom, wordsIn } from './words.js';

/** A part with the plain characters of a stretch of another text, and the beginning of that stretch. */
interface PlainPart {
  readonly part: TextPart;
  readonly shift: number;
}

/**
 * A part of a text, and where its words are: all filters need them, and finding them is most of what most filters would do.
 */
export class TextPart {
  private found: Words | undefined;
  private plain: PlainPart | undefined | null = null;

  /**
   * @param to the end of the part, excluded
   * @param room what the words are written to, which no part needs that is done with
   */
  constructor(
    readonly text: string,
    readonly from: number,
    readonly to: number,
    private readonly room = new WordRoom(to - from),
  ) {}

  get words(): Words {
    this.found ??= wordsIn(this.text, this.from, this.to, this.room);
    return this.found;
  }

  /** The part in plain characters, if it has digits or what stands between them in others. */
  get inPlainCharacters(): PlainPart | undefined {
    if (this.plain === null) this.plain = this.plainPart();
    return this.plain;
  }

  /** The next position of a text that begins in the part; -1 if there is none. */
  indexOf(searched: string, from: number): number {
    // A search in the whole text would go through all of its rest for each part.
    const index = this.text.slice(from, this.to + searched.length - 1).indexOf(searched);
    return index === -1 ? -1 : from + index;
  }

  private plainPart(): PlainPart | undefined {
    const plain = inPlainCharacters(this);
    if (plain === undefined) return undefined;
    const { text, start: shift } = plain;
    return { part: new TextPart(text, this.from - shift, this.to - shift), shift };
  }
}
