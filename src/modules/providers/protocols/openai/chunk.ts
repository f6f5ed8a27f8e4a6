import type { ChatChunk, ChatChunkChoice } from '../../chat-completion.js';
import { type JsonObject, walkedListOf, wordOf } from '../../json-values.js';
import { StreamedChoices } from './streamed-choices.js';
import { StreamedSources } from './streamed-sources.js';
import { usageIn } from './usage.js';

/** Reads the chunks of one stream. */
export class ChunkReader {
  readonly choices = new StreamedChoices();
  private readonly sources = new StreamedSources();
  private readonly id = new RepeatedWord();
  private readonly fingerprint = new RepeatedWord();
  private readonly tier = new RepeatedWord();

  /** The estimated bytes of what is kept of the chunks that were read. */
  get keptBytes(): number {
    return this.choices.keptBytes + this.sources.keptBytes;
  }

  /**
   * Reads a chunk.
   *
   * @param chunk parsed JSON, without an error
   * @throws ProviderError for a content that is not a text
   */
  read(chunk: JsonObject): ChatChunk {
    const fingerprint = this.fingerprint.of(chunk['system_fingerprint']);
    const tier = this.tier.of(chunk['service_tier']);
    const usage = usageIn(chunk);
    const upstreamId = this.id.of(chunk['id']) ?? null;
    const said = this.choicesIn(walkedListOf(chunk['choices']));
    const choices = this.sources.addTo(chunk, said, this.choices);
    // Most chunks have none of them, and to spread nothing takes time, too.
    if (usage === undefined && fingerprint === undefined && tier === undefined) return { upstreamId, choices };
    return {
      upstreamId,
      choices,
      ...usage,
      ...(fingerprint === undefined ? {} : { systemFingerprint: fingerprint }),
      ...(tier === undefined ? {} : { serviceTier: tier }),
    };
  }

  private choicesIn(list: readonly unknown[]): ChatChunkChoice[] {
    return list.map((choice, position) => this.choices.read(choice, position));
  }
}

/** A word that nearly every chunk of a stream repeats, and that is looked through once. */
class RepeatedWord {
  private given: unknown;
  private word: string | undefined;

  of(given: unknown): string | undefined {
    if (given === this.given) return this.word;
    const word = wordOf(given);
    // A longer one would be kept, too.
    if (word !== given) return word;
    [this.given, this.word] = [given, word];
    return word;
  }
}
