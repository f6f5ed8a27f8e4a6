import { Injectable } from '@nestjs/common';
import { QuickTest } from '../../../../packages/patterns/index.js';
import { OrganizationCache, partOfHeap } from '../../../concurrency/organization-cache.js';

/** The memory for compiled patterns: a part of the heap, and the most in bytes. A share of it has some 3,000 small patterns. */
const PART_OF_HEAP = 1 / 8;
const MAXIMUM_BYTES = 512 * 1_048_576;

/** The deepest nesting of groups in patterns that guardrails accept. */
const MAXIMUM_DEPTH = 100;

/**
 * The tests for small patterns, each compiled once for an organization whichever of its policies have it, and kept within bounds.
 * Organizations share none: the time that a test takes would tell which patterns others have.
 */
@Injectable()
export class QuickTests {
  private readonly tests = new OrganizationCache<QuickTest>(partOfHeap(PART_OF_HEAP, MAXIMUM_BYTES));

  /** Whether a test of a few milliseconds at most shows that a text has no match of a pattern. */
  isAbsent(organizationId: string, pattern: string, text: string): boolean {
    const known = this.tests.get(organizationId, pattern);
    const test = known ?? new QuickTest(pattern, MAXIMUM_DEPTH);
    const counted = known?.bytes;
    const isAbsent = test.occursIn(text) === false;
    // A text may have added states.
    if (test.bytes !== counted) this.tests.set(organizationId, pattern, test, test.bytes);
    return isAbsent;
  }
}
