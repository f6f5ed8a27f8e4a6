import { isAscii } from 'node:buffer';
import type { LongWork } from '../../concurrency/long-work.js';
import {
  BACKSLASH,
  beginningOfCharacter,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  MEANS_SOMETHING,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './json-characters.js';
import { type ExtentBounds, JsonExtent } from './json-extent.js';
import { addFields, addItems, type Container, type JsonFields, type Parsed, setField } from './json-parts.js';

/**
 * How many bytes are read before the time is looked at, less than a millisecond of work. A list or an object that is not longer is
 * left to JSON.parse, with what stands beside it.
 */
export const PORTION_BYTES = 32_768;

/** Stands for a list, an object or a long text that has been read, where the rest of its entry is parsed. */
const PLACEHOLDER = 'null';

/** The same for a long name of a field. */
const NAME = '';

const SMALL_U = 0x75;

type Child = Parsed<Container | string>;

/** What has been read: the parsed value, or why there is none. */
export type ReadDocument = { readonly value: unknown } | { readonly failure: 'syntax' | 'extent' };

/** How a document is read. */
interface ReadOptions {
  /** How much is read at once, in bytes. */
  readonly portionBytes?: number;
  /** Is told how many more bytes of the heap the document takes, estimated. @returns what to wait for before more is read */
  readonly hold?: (bytes: number) => Promise<void> | undefined;
}

/**
 * Parses JSON, as JSON.parse does, in as many turns of the event loop as it needs, and from its bytes. It takes as long as
 * JSON.parse and a look at each byte, however deep the document nests.
 *
 * @param bytes in UTF-8
 * @param bounds of what may be parsed
 * @param work lets others use the event loop meanwhile
 * @param options how much is read at once, and who is told what it takes
 * @returns a failure for what is no JSON, and for what exceeds the bounds as far as it has been read
 * @throws the reason of the work's signal
 */
export async function parsedInTurns(
  bytes: Buffer,
  bounds: ExtentBounds,
  work: LongWork,
  { portionBytes = PORTION_BYTES, hold }: ReadOptions = {},
): Promise<ReadDocument> {
  const reader = new JsonReader(bytes, bounds, portionBytes);
  const width = hold === undefined || hasNarrowTexts(bytes) ? 1 : 2;
  let held = 0;
  try {
    while (!reader.isAtEnd) {
      if (work.mustRest) await work.rest();
      if (!reader.read()) return { failure: 'extent' };
      const weight = reader.weight(width);
      const holding = hold?.(weight - held);
      if (holding !== undefined) await holding;
      held = weight;
    }
    if (work.mustRest) await work.rest();
    return { value: reader.document() };
  } catch (error) {
    if (error instanceof SyntaxError) return { failure: 'syntax' };
    throw error;
  }
}

/** Whether no text of a document has a character that V8 keeps in two bytes, with all others of the text. */
export function hasNarrowTexts(bytes: Uint8Array): boolean {
  return isAscii(bytes) && !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('\\u');
}

/**
 * Reads a document from its first byte to its last. Of lists and objects that are long it parses some entries at a time, with
 * brackets around them, and puts them together. So nothing is taken for JSON that JSON.parse has not taken for it: what is
 * parsed are all bytes of the document, each once, but for brackets that belong together and commas between entries.
 */
class JsonReader {
  private position = 0;
  private isInString = false;
  /** Where the last text begins, and where what is not parsed of it yet does. */
  private textStart = 0;
  private unparsedText = 0;
  /** What has been parsed of the last text, where that is long, and whether it is the name of a field. */
  private longText: string | undefined;
  private isLongName = false;
  /** What opened, closed or divided lists, objects and their entries last. */
  private mark = COMMA;
  private readonly extent: JsonExtent;
  // By depth, of what is open there: where it begins, where its last entry does, and where what is not parsed yet does.
  private readonly starts: Int32Array;
  private readonly lastEntries: Int32Array;
  private readonly unparsed: Int32Array;
  /** Those of the open lists and objects that are put together, the outermost first: what contains one of them is one, too. */
  private readonly containers: Container[] = [];
  private child: Child | undefined;
  /** The long names of fields that have not ended, the outermost first. */
  private readonly longNames: Parsed<string>[] = [];

  constructor(
    private readonly bytes: Buffer,
    bounds: ExtentBounds,
    private readonly portionBytes: number,
  ) {
    this.extent = new JsonExtent(bounds);
    this.starts = new Int32Array(bounds.depth + 1);
    this.lastEntries = new Int32Array(bounds.depth + 1);
    this.unparsed = new Int32Array(bounds.depth + 1);
  }

  get isAtEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  /** Estimates the bytes of the heap of what has been read. */
  weight(width: 1 | 2): number {
    const unfinished = this.isInString ? this.position - this.textStart : 0;
    return this.extent.weight(width) + unfinished * width;
  }

  /** Reads on. @returns whether the document is still within its bounds @throws SyntaxError */
  read(): boolean {
    return this.scan(Math.min(this.position + this.portionBytes, this.bytes.length));
  }

  /** What has been read to its end. @throws SyntaxError */
  document(): unknown {
    if (this.extent.depth !== 0) throw new SyntaxError('A list or an object does not end.');
    if (this.child === undefined) return JSON.parse(this.bytes.toString()) as unknown;
    this.requireNothingAround(this.child, 0, this.bytes.length);
    return this.child.value;
  }

  private scan(end: number): boolean {
    const { bytes, extent } = this;
    let { position, isInString, mark } = this;
    for (; position < end; position += 1) {
      const code = bytes[position]!;
      if (MEANS_SOMETHING[code] === 0) continue;
      if (isInString) {
        // What it escapes may be a quotation mark, and four digits belong to what it escapes.
        if (code === BACKSLASH) position += bytes[position + 1] === SMALL_U ? 5 : 1;
        else if (code === QUOTE) {
          isInString = false;
          extent.addText(position - this.textStart);
          if (this.longText !== undefined) this.endText(position);
        }
      } else if (code === QUOTE) {
        isInString = true;
        this.textStart = position;
        this.unparsedText = position + 1;
      } else if (code === COMMA) {
        mark = code;
        if (!extent.addEntry()) return false;
        this.endEntry(position);
      } else if (code === COLON) {
        mark = code;
        if (!extent.addField()) return false;
      } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
        mark = code;
        if (!extent.begin()) return false;
        this.begin(position);
      } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) {
        if (extent.depth <= 0) throw new SyntaxError('More ends than has begun.');
        mark = code;
        this.end(position);
        extent.end();
      }
    }
    this.position = position;
    this.isInString = isInString;
    this.mark = mark;
    if (isInString && position - this.unparsedText > this.portionBytes) this.addText(position);
    return true;
  }

  private begin(position: number): void {
    const { depth } = this.extent;
    this.starts[depth] = position;
    this.lastEntries[depth] = position + 1;
    this.unparsed[depth] = position + 1;
  }

  /** An entry ends with the comma at a position. */
  private endEntry(position: number): void {
    const { depth } = this.extent;
    if (depth === 0) throw new SyntaxError('A comma stands outside of lists and objects.');
    if (this.child !== undefined || position - this.unparsed[depth]! > this.portionBytes) this.add(position);
    this.lastEntries[depth] = position + 1;
  }

  /** What was begun last ends with the bracket at a position. */
  private end(position: number): void {
    const { depth } = this.extent;
    const start = this.starts[depth]!;
    if (this.containers.length < depth && position - start <= this.portionBytes) return;
    this.add(position);
    if (this.bytes[position] !== (this.isList(depth) ? CLOSING_BRACKET : CLOSING_BRACE)) {
      throw new SyntaxError('A list ends with a brace, or an object with a bracket.');
    }
    this.child = { value: this.containers.pop()!, start, end: position + 1 };
  }

  /** Adds to what was begun last the entries up to a position that are not in it. */
  private add(end: number): void {
    if (this.child !== undefined) this.addChild(this.child, end);
    else {
      this.putTogether();
      this.addEntries(this.extent.depth, end);
    }
  }

  /** What is open is put together from here on: it is long, or has a long text. */
  private putTogether(): void {
    while (this.containers.length < this.extent.depth) {
      const outer = this.containers.length;
      this.addEarlierEntries(outer);
      this.containers.push(this.isList(outer + 1) ? [] : {});
    }
  }

  /** Adds the entries before the one that has not ended. */
  private addEarlierEntries(depth: number): void {
    if (this.lastEntries[depth]! > this.unparsed[depth]!) this.addEntries(depth, this.lastEntries[depth]! - 1);
  }

  /** Parses what has come of a long text. */
  private addText(position: number): void {
    if (this.longText === undefined) {
      if (this.child !== undefined) return;
      this.isLongName = this.mark === OPENING_BRACE || (this.mark === COMMA && !this.isList(this.extent.depth));
      this.putTogether();
      this.addEarlierEntries(this.extent.depth);
    }
    const end = beginningOfCharacter(this.bytes, position);
    this.longText = `${this.longText ?? ''}${this.partOfText(end)}`;
    this.unparsedText = end;
  }

  private endText(position: number): void {
    const text = { value: `${this.longText}${this.partOfText(position)}`, start: this.textStart, end: position + 1 };
    this.longText = undefined;
    if (this.isLongName) this.longNames.push(text);
    else this.child = text;
  }

  private partOfText(end: number): string {
    return JSON.parse(`"${this.text(this.unparsedText, end)}"`) as string;
  }

  /** Parses entries together, and adds them. */
  private addEntries(depth: number, end: number): void {
    const start = this.unparsed[depth]!;
    const text = this.text(start, end);
    const isEmpty = this.isList(depth)
      ? addItems(this.containers[depth - 1] as unknown[], JSON.parse(`[${text}]`) as unknown[])
      : addFields(
          this.containers[depth - 1] as JsonFields,
          this.withLongName(start, JSON.parse(`{${text}}`) as JsonFields),
        );
    const isAll = start === this.starts[depth]! + 1 && this.bytes[end] !== COMMA;
    if (isEmpty && !isAll) throw new SyntaxError('There is no entry beside a comma.');
    this.unparsed[depth] = end + 1;
  }

  /** Adds a list or an object that is the value of an entry. */
  private addChild(child: Child, end: number): void {
    const { depth } = this.extent;
    if (depth !== this.containers.length) throw new SyntaxError('An entry has two values.');
    const container = this.containers[depth - 1]!;
    const start = this.lastEntries[depth]!;
    if (Array.isArray(container)) {
      this.requireNothingAround(child, start, end);
      container.push(child.value);
    } else {
      const around = JSON.parse(`{${this.textAround(child, start, end)}}`) as JsonFields;
      const [name] = Object.keys(this.withLongName(start, around));
      setField(container, name!, child.value);
    }
    this.child = undefined;
    this.unparsed[depth] = end + 1;
  }

  private requireNothingAround(child: Child, start: number, end: number): void {
    if (JSON.parse(this.textAround(child, start, end)) !== null) throw new SyntaxError('An entry has two values.');
  }

  private textAround(child: Child, start: number, end: number): string {
    return `${this.text(start, child.start)}${PLACEHOLDER}${this.text(child.end, end)}`;
  }

  /** Gives the field of an entry its name, if that is long. @param start of the entry */
  private withLongName(start: number, fields: JsonFields): JsonFields {
    if ((this.longNames.at(-1)?.start ?? -1) < start) return fields;
    return { [this.longNames.pop()!.value]: fields[NAME] };
  }

  /** Without a long name, which has been parsed. */
  private text(start: number, end: number): string {
    const name = this.longNames.at(-1);
    if (name === undefined || name.start < start || name.end > end) return this.bytes.toString('utf8', start, end);
    return `${this.bytes.toString('utf8', start, name.start)}"${NAME}"${this.bytes.toString('utf8', name.end, end)}`;
  }

  private isList(depth: number): boolean {
    return this.bytes[this.starts[depth]!] === OPENING_BRACKET;
  }
}
