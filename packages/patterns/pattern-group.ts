import { captured, CHARACTER, EMPTY, type Extent, ExtentSum, repeated, type Repetition } from './extent.js';

/** Joining the pieces of a group with those around it takes as long as copying each of them so often. */
const COPIES_OF_JOINED_PIECE = 5;

/** What a group of a pattern comes to, and what its way through the engine costs besides. */
export interface GroupExtent {
  readonly extent: Extent;
  /** How often the engine copies a piece while it joins groups and takes common beginnings out of alternatives. */
  readonly copies: number;
}

/** A group whose end has not been read, or the whole pattern. */
export class PatternGroup {
  private readonly alternatives = new ExtentSum();
  private alternativesRead = 0;
  private sharedBeginnings = 0;
  private copies = 0;
  /** The alternative that is being read, but for its last part, which a quantifier may follow. */
  private alternative = new ExtentSum();
  private last: Extent | undefined;
  private textHasEnded = false;

  /**
   * @param captures whether the group has a number or a name
   * @param ignoredCaseBefore whether the flag `i` was set where the group starts, as it will be behind it
   */
  constructor(
    private readonly captures: boolean,
    readonly ignoredCaseBefore: boolean,
  ) {}

  /** Adds a part that is no text. */
  add(extent: Extent): void {
    if (this.last !== undefined) this.alternative.add(this.last);
    this.last = extent;
    this.textHasEnded = false;
  }

  /** Adds so many characters of text, one at least. */
  addText(characters: number): void {
    if (this.last === CHARACTER && !this.textHasEnded) this.alternative.addText(characters);
    else {
      this.add(CHARACTER);
      this.alternative.addText(characters - 1);
    }
  }

  /** Makes a piece of its own of the text that follows: other flags hold for it. */
  endText(): void {
    this.textHasEnded = true;
  }

  /** Adds a group that has ended. */
  addGroup({ extent, copies }: GroupExtent): void {
    this.add(extent);
    this.copies += copies;
  }

  /** Repeats the part that was added last. Without one, the engine refuses the pattern. */
  repeat(repetition: Repetition): void {
    const { last = EMPTY } = this;
    // The text before a repeated character is a piece of its own.
    if (last === CHARACTER) this.alternative.pieces += 1;
    this.last = repeated(last, repetition);
  }

  /** Ends an alternative, and begins the next one. */
  startAlternative(): void {
    const { alternative, last } = this;
    if (last !== undefined) alternative.add(last);
    this.last = undefined;
    const extent = alternative.instructions === 0 ? EMPTY : alternative;
    this.alternatives.add(extent);
    this.alternativesRead += 1;
    this.sharedBeginnings += (extent.pieces - 1) ** 2;
    this.alternative = new ExtentSum();
  }

  /** What the group comes to, once all of it is read. */
  end(): GroupExtent {
    this.startAlternative();
    const extent = this.alternativesRead === 1 ? this.alternatives : this.chosen();
    const copies = this.copies + extent.pieces * COPIES_OF_JOINED_PIECE;
    return { extent: this.captures ? captured(extent) : extent, copies };
  }

  private chosen(): Extent {
    // Each piece that two alternatives begin with is taken out by copying the rest of both.
    this.copies += this.sharedBeginnings;
    const choices = this.alternativesRead - 1;
    const { instructions, plain } = this.alternatives;
    return { ...this.alternatives, instructions: instructions + choices, plain: plain + choices, pieces: 1 };
  }
}
