import type { LongWork } from '../../concurrency/long-work.js';
import { type Issue, joinPath } from '../errors/issue.js';

/** How much of a text is looked at at a time, in code units: less than a millisecond of work. */
const PART_LENGTH = 524_288;

/** How many values are looked at before the time is, if they are small. */
const PORTION_VALUES = 256;

const NUL_ISSUE = 'must not contain a NUL character';
const SURROGATE_ISSUE = 'must not contain a lone surrogate';

/**
 * Finds characters that PostgreSQL cannot store or JSON cannot represent: NUL characters and lone surrogates, in strings and
 * field names.
 *
 * @param value of bounded depth (json-bounds.ts)
 */
export function inspectText(value: unknown): Issue[] {
  const inspection = new TextInspection(value);
  while (!inspection.isDone) inspection.goOn();
  return inspection.issues;
}

/**
 * Does the same as {@link inspectText} in turns of the event loop.
 *
 * @throws the reason of the work's signal
 */
export async function inspectTextInTurns(value: unknown, work: LongWork): Promise<Issue[]> {
  const inspection = new TextInspection(value);
  while (!inspection.isDone) {
    if (work.mustRest) await work.rest();
    inspection.goOn();
  }
  return inspection.issues;
}

/** A list or an object of which the values are looked at. */
interface Container {
  /** Of the fields; undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly unknown[];
  /** Of the value that is looked at. */
  index: number;
}

/** A long text of which a part has been looked at. */
interface LongText {
  readonly text: string;
  position: number;
  isWellFormed: boolean;
}

/** Looks at the values within a value, in their order. */
class TextInspection {
  readonly issues: Issue[] = [];
  /** Those that are open, the outermost first. */
  private readonly containers: Container[] = [];
  private longText: LongText | undefined;

  constructor(value: unknown) {
    this.visit(value);
  }

  get isDone(): boolean {
    return this.containers.length === 0 && this.longText === undefined;
  }

  /** Looks at some values, or at a part of a long text. */
  goOn(): void {
    for (let count = 0; count < PORTION_VALUES && this.longText === undefined && !this.isDone; count += 1) this.next();
    if (this.longText !== undefined) this.readOn(this.longText);
  }

  private next(): void {
    const container = this.containers.at(-1)!;
    container.index += 1;
    const { names, values, index } = container;
    if (index === values.length) {
      this.containers.pop();
      return;
    }
    const issue = names === undefined ? undefined : textIssue(names[index]!);
    if (issue === undefined) this.visit(values[index]);
    else this.issues.push({ path: this.path(-1), message: `has a field whose name ${issue}` });
  }

  private visit(value: unknown): void {
    if (typeof value === 'string') this.visitText(value);
    else if (Array.isArray(value)) this.containers.push({ names: undefined, values: value, index: -1 });
    else if (typeof value === 'object' && value !== null) {
      this.containers.push({ names: Object.keys(value), values: Object.values(value), index: -1 });
    }
  }

  private visitText(text: string): void {
    if (text.length > PART_LENGTH) this.longText = { text, position: 0, isWellFormed: true };
    else this.report(textIssue(text));
  }

  /** A text with both is one with NUL characters. */
  private readOn(long: LongText): void {
    const { text, position } = long;
    const end = endOfPart(text, position + PART_LENGTH);
    const issue = textIssue(text.slice(position, end));
    if (issue === SURROGATE_ISSUE) long.isWellFormed = false;
    long.position = end;
    if (issue !== NUL_ISSUE && end < text.length) return;
    this.longText = undefined;
    this.report(issue === NUL_ISSUE || long.isWellFormed ? issue : SURROGATE_ISSUE);
  }

  private report(issue: string | undefined): void {
    if (issue !== undefined) this.issues.push({ path: this.path(), message: issue });
  }

  /** Of what is looked at. @param end of the containers that belong to the path, counted as by Array.slice */
  private path(end?: number): string {
    return this.containers
      .slice(0, end)
      .reduce((path, { names, index }) => joinPath(path, names === undefined ? index : names[index]!), '');
  }
}

/** Where a part of a text ends, which does not divide a pair of surrogates. */
function endOfPart(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : Math.min(end, text.length);
}

function textIssue(text: string): string | undefined {
  if (text.includes('\u0000')) return NUL_ISSUE;
  if (!text.isWellFormed()) return SURROGATE_ISSUE;
  return undefined;
}
