import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requireNoIssues } from './errors/require-all.js';
import { MALFORMED_IF_MATCH, PreconditionFailed } from './precondition.errors.js';
import type { GatehouseRequest } from './request.js';

/** One entity tag of a list, with what separates it from the one before (RFC 9110, sections 5.6.1 and 8.8.3). */
const LISTED_TAG = /[ \t]*(?:,[ \t]*)*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;

/** Separators behind the last one. */
const END = /[ \t,]*$/y;

/**
 * What a caller says of an object that it changes: the header `If-Match` (RFC 9110, section 13.1.1,
 * docs/interface/conventions.md#conditional-requests). It is compared once the object is locked, so that no one can change it in between.
 */
export class Precondition {
  /** The precondition of a request without the header: whatever the object is, it is changed. */
  static readonly NONE = new Precondition(undefined);

  /** @param tags strong ones; `*` for any object that there is */
  private constructor(private readonly tags: ReadonlySet<string> | '*' | undefined) {}

  /** @throws BadRequestError `malformed_if_match` */
  static of(header: string | undefined): Precondition {
    if (header === undefined) return Precondition.NONE;
    return new Precondition(header.trim() === '*' ? '*' : strongTagsOf(header));
  }

  /** Whether the request has the header, so that its object has to be locked first. */
  get isGiven(): boolean {
    return this.tags !== undefined;
  }

  /**
   * Compares the tag of the object.
   *
   * @param entityTag as the object is now; undefined if there is none yet
   * @throws PreconditionFailed
   */
  require(entityTag: string | undefined): void {
    const { tags } = this;
    if (tags === undefined || (entityTag !== undefined && (tags === '*' || tags.has(entityTag)))) return;
    throw new PreconditionFailed(entityTag);
  }
}

/** The strong tags of a list: weak ones match nothing here. */
function strongTagsOf(header: string): ReadonlySet<string> {
  const tags = new Set<string>();
  let [position, count] = [0, 0];
  LISTED_TAG.lastIndex = 0;
  for (let match = LISTED_TAG.exec(header); match !== null; match = LISTED_TAG.exec(header)) {
    position = LISTED_TAG.lastIndex;
    count += 1;
    if (match[1] === undefined) tags.add(match[2]!);
  }
  END.lastIndex = position;
  requireNoIssues(count > 0 && END.test(header) ? [] : [MALFORMED_IF_MATCH.at('If-Match')]);
  return tags;
}

/** The precondition of a request. */
export const IfMatch = createParamDecorator((_: undefined, context: ExecutionContext): Precondition => {
  // Node.js joins several headers of this name.
  return Precondition.of(context.switchToHttp().getRequest<GatehouseRequest>().headers['if-match']);
});
