import type { ChatChunkChoice } from '../../chat-completion.js';
import { type JsonObject, listOf } from '../../json-values.js';
import { hasContent } from '../../chunk-content.js';
import { citedSourcesIn, type UrlCitation } from './cited-sources.js';
import type { StreamedChoices } from './streamed-choices.js';

/** What a source takes besides its texts, in bytes of the heap. */
const SOURCE_BYTES = 200;

/** Adds the sources of a stream to what it says, each once ({@link citedSourcesIn}). */
export class StreamedSources {
  /** How many the provider has named. */
  private known = 0;
  /** The sources that are not added yet, because no text has come since. */
  private waiting: readonly UrlCitation[] = [];
  /** The estimated bytes of those. */
  keptBytes = 0;
  /** Whether the provider says them with its choices. */
  private areSaid = false;

  /**
   * @param chunk parsed JSON
   * @param said its choices, as they were read
   * @param choices of the stream
   * @returns the choices with the sources that are new
   */
  addTo(chunk: JsonObject, said: readonly ChatChunkChoice[], choices: StreamedChoices): readonly ChatChunkChoice[] {
    const first = said[0];
    if (first?.delta['annotations'] !== undefined) this.areSaid ||= listOf(first.delta['annotations']).length > 0;
    if (chunk['citations'] !== undefined || chunk['search_results'] !== undefined) this.take(chunk);
    if (this.waiting.length === 0 || this.areSaid) return said;
    if (first === undefined ? !choices.haveEnded : first.finish_reason === null && !hasContent(first.delta))
      return said;
    const annotations = this.waiting;
    this.waiting = [];
    this.keptBytes = 0;
    if (first === undefined)
      return [{ index: 0, delta: { annotations }, finish_reason: null, native_finish_reason: null }];
    return [{ ...first, delta: { ...first.delta, annotations } }, ...said.slice(1)];
  }

  private take(chunk: JsonObject): void {
    const found = citedSourcesIn(chunk, this.known);
    if (found.length === 0) return;
    this.known = Math.max(listOf(chunk['citations']).length, listOf(chunk['search_results']).length);
    this.waiting = [...this.waiting, ...found];
    this.keptBytes += found.reduce((sum, source) => sum + bytesOf(source), 0);
  }
}

function bytesOf({ url_citation: { url, title, content = '' } }: UrlCitation): number {
  return SOURCE_BYTES + 2 * (url.length + title.length + content.length);
}
