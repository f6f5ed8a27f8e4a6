import type { ChatMessage } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { isMissingThoughtError, isThoughtError } from '../../../codecs/errors/thought-errors.js';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { withOpaqueThoughts } from '../../../codecs/chat/opaque-thoughts.js';
import type { ProviderConnection } from '../../../providers/connections/provider-connection.js';
import type { OpenedThought, ThoughtSeals } from './thought-seals.js';

/** A text that only a provider can read: whose it is, or that its seal is not of this deployment and organization. */
type CarriedThought = OpenedThought | 'unsealed' | 'unknown';

/** What takes the place of all that asks a model to think, in whichever form. */
const THINKING_OFF = { reasoning: { enabled: false }, reasoning_effort: null, thinking: null, enable_thinking: null };

/**
 * The thoughts of earlier turns that a request carries and only their providers can read
 * (docs/interface/inference.md#thoughts-of-earlier-turns). Each provider gets back its own, and those that are not sealed.
 */
export class CarriedThoughts {
  /** The makers of the thoughts, that of the newest first. */
  private readonly makers: readonly string[];
  private isRefused = false;
  private isThinkingOff = false;

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
   * A body as a provider gets it: with what it made itself, and what is not sealed. Nothing that can be read is left out.
   *
   * @param adjustments is told what is left out
   */
  bodyFor(body: ClientChatRequest, connection: ProviderConnection, adjustments: RequestAdjustments): ClientChatRequest {
    const names = this.makersOf(connection);
    const messages = body.messages.map((message) =>
      withOpaqueThoughts(message, (text, place) => {
        const thought = this.carried.get(text);
        const reason = this.reasonAgainst(thought, names);
        if (reason === undefined) return typeof thought === 'object' ? thought.text : text;
        adjustments.leftOut(place, reason);
        return undefined;
      }),
    );
    if (!this.isThinkingOff) return Object.assign({}, body, { messages });
    adjustments.leftOut('reasoning', 'turn_without_thoughts');
    return Object.assign({}, body, { messages }, THINKING_OFF);
  }

  /**
   * Whether a provider has refused the thoughts, and the call is to be retried without them, or demands those that were left out, and it is to
   * be retried without letting its model think. This holds for all providers from then on, so that it is true once for each.
   */
  isAskedAgainAfter({ kind, status, message, code }: ProviderError): boolean {
    if (kind !== 'refused' || (status ?? 0) >= 500) return false;
    const isRefusal = !this.isRefused && isThoughtError(message, code);
    const isDemand = !isRefusal && !this.isThinkingOff && isMissingThoughtError(message);
    this.isRefused ||= isRefusal;
    this.isThinkingOff ||= isDemand;
    return isRefusal || isDemand;
  }

  /** Why a provider does not get a thought; undefined for one that it gets. @param names of the provider as a maker */
  private reasonAgainst(thought: CarriedThought | undefined, names: ReadonlySet<string>): string | undefined {
    if (this.isRefused) return 'thoughts_refused';
    if (thought === 'unknown') return 'thoughts_not_recognized';
    if (thought === undefined || thought === 'unsealed' || names.has(thought.maker)) return undefined;
    return 'thoughts_of_other_provider';
  }
}
