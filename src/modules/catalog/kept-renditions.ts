import { Injectable } from '@nestjs/common';
import { Rendition } from '../../http/revalidation/rendition.js';

/** How many answers are kept of an edition: what is asked for again and again is few. */
const KEPT = 16;

/** Answers of an edition of the catalog as they are sent, so that writing half a megabyte is not done anew for each caller. */
@Injectable()
export class KeptRenditions {
  private readonly byEdition = new WeakMap<object, Map<string, Rendition>>();

  /**
   * @param edition what the answer is made of, and nothing else
   * @param name tells answers made of it apart
   */
  get(edition: object, name: string, make: () => Rendition): Rendition {
    const kept = this.byEdition.get(edition) ?? new Map<string, Rendition>();
    this.byEdition.set(edition, kept);
    const rendition = kept.get(name) ?? make();
    // What was asked for last stands last, and what nobody has asked for longest goes first.
    kept.delete(name);
    kept.set(name, rendition);
    const [oldest] = kept.keys();
    if (kept.size > KEPT) kept.delete(oldest!);
    return rendition;
  }
}
