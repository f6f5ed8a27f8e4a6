import { RequestTooComplex } from '../errors/request.errors.js';
import { lengthLeft } from '../json-length.js';

/** What the smallest request or answer may cost: what is written of a small one can be many times as long as it. */
const LEAST = 1_048_576;

/** What each byte that came may cost besides. */
const PER_BYTE = 4;

/** What a node costs: to visit one takes as long as to write some bytes. */
const NODE = 16;

/**
 * What may be done with a request, or with a document or an event of a provider: a small multiple of the bytes that came, counted in bytes that
 * are written and in nodes (values, messages, parts of a schema) that are visited (docs/limits.md#work). What comes from a client or a
 * provider is nested, repeated and referred to as its sender likes, so every step whose work can grow faster than what came counts here.
 */
export class WorkBudget {
  private left: number;

  /**
   * @param bytes that came
   * @param exceeded makes the error for what costs more
   */
  constructor(
    bytes: number,
    private readonly exceeded: () => Error,
  ) {
    this.left = LEAST + PER_BYTE * bytes;
  }

  /** Counts nodes that are visited. @throws the error of the budget when it is used up */
  visit(nodes = 1): void {
    this.write(nodes * NODE);
  }

  /** Counts bytes, or characters, that are written besides those that are handed on as they came. @throws as {@link visit} does */
  write(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw this.exceeded();
  }

  /**
   * Counts what the JSON of a value is long, by estimate: parts that stand in several places count in each. It looks at no more than the
   * budget allows. @throws as {@link visit} does
   */
  writeJson(value: unknown): void {
    this.left = lengthLeft(value, this.left);
    if (this.left < 0) throw this.exceeded();
  }
}

/** The budget of a request. @param bytes of its body @returns one that throws RequestTooComplex */
export function requestBudget(bytes: number): WorkBudget {
  return new WorkBudget(bytes, () => new RequestTooComplex());
}
