import type { FilterPlace } from '../../content/content-filters.js';
import type { Enforcement } from '../../limits/limit-vocabulary.js';
import type { InspectionWindow, OnFailure } from '../inspector-vocabulary.js';
import type { InspectorSecrets } from '../inspector-secrets.js';
import type { InspectionInput, Verdict } from '../protocols/inspection-protocol.js';
import type { InspectorProtocol } from '../protocols/inspection-protocols.js';

/** What becomes of judged texts. */
export const JUDGEMENT_OUTCOMES = ['passed', 'blocked', 'changed', 'failed'] as const;

export type JudgementOutcome = (typeof JUDGEMENT_OUTCOMES)[number];

/** An inspector that can be asked. */
export interface ReadyInspector {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly protocol: InspectorProtocol;
  /** Null: the address of the protocol. */
  readonly url: string | null;
  readonly settings: object;
  readonly appliesTo: readonly FilterPlace[];
  readonly mode: Enforcement;
  readonly onFailure: OnFailure;
  readonly timeoutMs: number;
  readonly window: InspectionWindow;
  /** Undefined for those that cannot be decrypted: it fails then. */
  readonly secrets: InspectorSecrets | undefined;
  /** Differs whenever it has changed. */
  readonly version: string;
}

/**
 * Asks a judge model about texts.
 *
 * @param onAsked called when a provider is asked indeed
 * @throws InspectorFailure, the reason of the signal
 */
export type AskModel = (input: InspectionInput, signal: AbortSignal, onAsked: () => void) => Promise<Verdict>;

/** Texts to be judged, and what they belong to. */
export interface Inspection extends Omit<InspectionInput, 'organizationId'> {
  /** How the inspector is asked, where it is a model; absent for a server, and where no request pays for it. */
  readonly askModel?: AskModel | undefined;
}

/** What an inspector said of texts, and how long it took. */
export type Judgement = { readonly milliseconds: number } & (
  | { readonly outcome: 'passed' }
  | {
      readonly outcome: 'blocked';
      /** In one line of at most 200 characters, as the inspector says it: it may repeat what it is about, so it is neither logged nor recorded. */
      readonly reason?: string | undefined;
    }
  | { readonly outcome: 'changed'; /** As many as were judged, in their order. */ readonly texts: readonly string[] }
  | {
      readonly outcome: 'failed';
      /** Why, without texts and secrets. */
      readonly failure: string;
      /** Whether texts pass after a failure of this inspector. */
      readonly letsPass: boolean;
    }
);
