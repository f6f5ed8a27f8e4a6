import { Injectable } from '@nestjs/common';
import { TooManyContentScans } from '../content.errors.js';
import { CustomSearch, type SearchClient } from './custom-search.js';

/** Searches texts for regular expressions that organizations write, outside the event loop and within limits of time and memory. */
@Injectable()
export class PatternSearches {
  constructor(private readonly search: CustomSearch) {}

  /**
   * Whether a pattern that compiles occurs in a text.
   *
   * @returns undefined when the search took too much time or memory, or too many of the organization wait
   */
  async occursIn(pattern: string, text: string, client: SearchClient): Promise<boolean | undefined> {
    let occurs = false;
    try {
      const failed = await this.search.search({ patterns: [pattern], texts: [text], maximum: 1 }, client, () => {
        occurs = true;
      });
      return failed === undefined ? occurs : undefined;
    } catch (error) {
      if (error instanceof TooManyContentScans) return undefined;
      throw error;
    }
  }
}
