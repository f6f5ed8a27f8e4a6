import { LRUCache } from 'lru-cache';
import { applyTokenCorrection, countIn, type FindWindows, type SubjectWindows } from './counted-windows.js';
import { type CountedRequest, nameOf, type RateCount, type RateCounter, type TokenCorrection } from './rate-count.js';
import { SlidingWindow } from './sliding-window.js';

/** How many subjects are counted: of one organization, and of how many organizations. */
const SUBJECTS = 1_000;
const ORGANIZATIONS = 200;

/**
 * Counts the requests of this process alone, while neither Redis nor the database can count those of all replicas together. Bounded for
 * each organization: of more subjects at a time those are forgotten that have sent nothing for the longest.
 */
export class ProcessRates implements RateCounter {
  private readonly organizations = new LRUCache<string, LRUCache<string, SubjectWindows>>({ max: ORGANIZATIONS });

  count(organizationId: string, request: CountedRequest): Promise<RateCount> {
    return Promise.resolve(countIn(this.windowsOf(organizationId), request, presentSecond()));
  }

  correct(organizationId: string, correction: TokenCorrection): Promise<void> {
    applyTokenCorrection(this.windowsOf(organizationId), correction, presentSecond());
    return Promise.resolve();
  }

  subjectsOf(organizationId: string): number {
    return this.organizations.get(organizationId)?.size ?? 0;
  }

  private windowsOf(organizationId: string): FindWindows {
    let subjects = this.organizations.get(organizationId);
    if (subjects === undefined) {
      subjects = new LRUCache({ max: SUBJECTS });
      this.organizations.set(organizationId, subjects);
    }
    return (subject) => {
      const known = subjects.get(nameOf(subject));
      if (known !== undefined) return known;
      const windows = { requests: new SlidingWindow(), tokens: new SlidingWindow() };
      subjects.set(nameOf(subject), windows);
      return windows;
    };
  }
}

function presentSecond(): number {
  return Math.floor(Date.now() / 1000);
}
