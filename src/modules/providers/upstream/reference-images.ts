import type { AnswerMemory } from '../../../http/input/request-memory.js';

/**
 * The images of one request that were fetched from addresses which its client has named. They are kept, so that the next provider that
 * is asked gets the same ones without another request to their server (docs/interface/images.md#addresses).
 */
export class ReferenceImages {
  private readonly byAddress = new Map<string, string>();

  /**
   * The image at an address.
   *
   * @param fetch fetches it, and holds memory of its length
   * @returns its base64
   * @throws the errors of `fetch`, after which it is fetched again
   */
  async at(url: string, fetch: () => Promise<string>): Promise<string> {
    const kept = this.byAddress.get(url);
    if (kept !== undefined) return kept;
    const data = await fetch();
    this.byAddress.set(url, data);
    return data;
  }

  /** Holds memory of what is kept again, after that of an attempt was released. What there is no room for is forgotten. */
  holdAgain(memory: Pick<AnswerMemory, 'tryHold'>): void {
    for (const [url, data] of this.byAddress) {
      if (!memory.tryHold(data.length)) this.byAddress.delete(url);
    }
  }
}
