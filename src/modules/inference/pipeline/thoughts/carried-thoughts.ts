import {
  type ChatMessage,
  isThoughtError,
  type ProviderError,
  type RequestAdjustments,
  withOpaqueThoughts,
} from '../../../codecs/index.js';
import type { ProviderConnection } from '../../../providers/index.js';
import type { OpenedThought, ThoughtSeals } from './thought-seals.js';

/** A text that only a provider can read: whose it is, or that its seal is not of this deployment and organization. */
type CarriedThought = OpenedThought | 'unsealed' | 'unknown';

/**
 * The thoughts of earlier turns that a request carries and only their providers can read
 * (docs/interface/inference.md#thoughts-of-earlier-turns). Each provider gets back its own, and those that are not sealed.
 */
export class CarriedThoughts {
  /** The makers of the thoughts, that of the newest first. */
  private readonly makers: readonly string[];
  private isRefused = false;

  private constructor(
    private readonly carried: ReadonlyMap<string, CarriedThought>,
    private readonly makersOf: (connection: ProviderConnection) => ReadonlySet<string>,
  ) {
    const makers = [...carried.values()].flatMap((thought) => (typeof thought === 'string' ? [] : [thought.maker]));
    this.makers = [...new Set(makers.toReversed())];
  }

  /** @returns undefined for a request without such thoughts */
  static of(
    messages: readonly ChatMessage[],
    organizationId: string,
    seals: ThoughtSeals,
  ): CarriedThoughts | undefined {
    const carried = new Map<string, CarriedThought>();
    const note = (text: string): string => {
      const thought = seals.isSealed(text) ? (seals.opened(organizationId, text) ?? 'unknown') : 'unsealed';
      // One that is handed back again is as new as its last place.
      carried.delete(text);
      carried.set(text, thought);
      return text;
    };
    for (const message of messages) withOpaqueThoughts(message, note);
    if (carried.size === 0) return undefined;
    return new CarriedThoughts(carried, (connection) => seals.makersOf(organizationId, connection));
  }

  /** Whether the maker of any of them is known, so that the request belongs to it. */
  get haveMakers(): boolean {
    return this.makers.length > 0;
  }

  /** How new the newest thought is that a connection made, from 0 for the newest of all; Infinity where it made none. */
  ageAt(connection: ProviderConnection): number {
    const names = this.makersOf(connection);
    const age = this.makers.findIndex((maker) => names.has(maker));
    return age === -1 ? Infinity : age;
  }

  /**
   * Messages as a provider gets them: with what it made itself, and what is not sealed. Nothing that can be read is left out.
   *
   * @param adjustments is told what is left out
   */
  messagesFor(
    messages: readonly ChatMessage[],
    connection: ProviderConnection,
    adjustments: RequestAdjustments,
  ): readonly ChatMessage[] {
    const names = this.makersOf(connection);
    return messages.map((message) =>
      withOpaqueThoughts(message, (text, place) => {
        const thought = this.carried.get(text);
        const reason = this.reasonAgainst(thought, names);
        if (reason === undefined) return typeof thought === 'object' ? thought.text : text;
        adjustments.leftOut(place, reason);
        return undefined;
      }),
    );
  }

  /**
   * Whether a provider has refused the thoughts, and is to be asked once more without them. From then on no provider gets any, so that
   * this is true once at most.
   */
  refusedBy(error: ProviderError): boolean {
    const { kind, status, message, code } = error;
    if (this.isRefused || kind !== 'refused' || (status ?? 0) >= 500 || !isThoughtError(message, code)) return false;
    this.isRefused = true;
    return true;
  }

  /** Why a provider does not get a thought; undefined for one that it gets. @param names of the provider as a maker */
  private reasonAgainst(thought: CarriedThought | undefined, names: ReadonlySet<string>): string | undefined {
    if (this.isRefused) return 'thoughts_refused';
    if (thought === 'unknown') return 'thoughts_not_recognized';
    if (thought === undefined || thought === 'unsealed' || names.has(thought.maker)) return undefined;
    return 'thoughts_of_other_provider';
  }
}
