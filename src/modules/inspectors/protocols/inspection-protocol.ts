import type { IssueWithReason } from '../../../http/errors/issue.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import type { FilterPlace } from '../../content/content-filters.js';
import type { CredentialScheme } from '../../providers/credentials/credential-scheme.js';

/** What the texts belong to, as far as inspectors are told; what is not known is left out. */
export interface InspectionContext {
  /** The id of the record of the request. */
  readonly generationId?: string | undefined;
  readonly workspaceId?: string | undefined;
  /** SHA-256 of the API key in lowercase hex, and its name. */
  readonly keyHash?: string | undefined;
  readonly keyName?: string | undefined;
  /** The member who owns the key. */
  readonly userId?: string | undefined;
  /** Who the request says it is for. */
  readonly endUser?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
  readonly isStream?: boolean | undefined;
}

/** Texts to be judged. */
export interface InspectionInput {
  readonly organizationId: string;
  readonly place: FilterPlace;
  readonly texts: readonly string[];
  /** The role of the message that the texts are of; by default `user` in requests, and that of the place elsewhere. */
  readonly role?: string | undefined;
  readonly context: InspectionContext;
}

/** What an inspector says of texts. */
export type Verdict =
  | { readonly verdict: 'pass' }
  | {
      readonly verdict: 'block';
      /** As the inspector says it; it may repeat what it is about. */ readonly reason?: string | undefined;
    }
  | { readonly verdict: 'change'; /** As many as were judged, in their order. */ readonly texts: readonly string[] };

export const PASS: Verdict = { verdict: 'pass' };

/** A request to an inspector, as its protocol has it. */
export interface ProtocolRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What is sent as JSON. */
  readonly body: object;
}

/** The inspector that is asked. */
export interface ProtocolTarget<Settings> {
  /** Its address, or that of the protocol, without a slash at its end. */
  readonly url: string;
  readonly settings: Settings;
}

/** How the key of an inspector is shown to it. */
export interface ProtocolKey {
  readonly isRequired: boolean;
  /** Absent for a key that is the value of a header. */
  readonly scheme?: CredentialScheme | undefined;
  /** In lower case; in `authorization` the key is a bearer token. */
  readonly header: string;
}

/** What inspectors of a protocol have, and lack. */
export interface ProtocolFields<Settings extends object = object> {
  /** The class of its settings, with their fields. */
  readonly settings: new () => Settings;
  /** What is wrong with settings whose fields are right each by itself; absent where nothing can be. */
  issuesOf?(settings: Settings): readonly IssueWithReason[];
  /** Whether it is a server: otherwise it has neither an address nor headers. */
  readonly isServer: boolean;
  /** Whether requests are signed as our webhooks are, if the inspector has a secret for that. */
  readonly isSigned: boolean;
  /** The address of an inspector that names none. @returns undefined where each names its own */
  address(settings: Settings): string | undefined;
  /** How the key is shown. @returns undefined for a protocol without one */
  key(settings: Settings): ProtocolKey | undefined;
}

/**
 * A protocol of servers (docs/interface/inspectors.md#protocols): how texts are put to them, and what their answers mean. One file each,
 * listed in `inspection-protocols.ts`, from which validation and the document of the interface are derived.
 */
export interface InspectionProtocol<Settings extends object = object> extends ProtocolFields<Settings> {
  readonly isServer: true;
  /** What most one request holds: texts, and characters in each; longer ones are put in pieces. */
  readonly most: { readonly texts: number; readonly characters: number };
  request(target: ProtocolTarget<Settings>, input: InspectionInput): ProtocolRequest;
  /**
   * Reads an answer.
   *
   * @param answer of any form
   * @throws InspectorFailure for one that the protocol does not have
   */
  verdict(answer: unknown, input: InspectionInput, settings: Settings): Verdict;
}

/** The settings of inspectors of protocols that need to know nothing besides. */
@SchemaExample({})
export class NoInspectorSettings {}

/** Whether texts are what a model says, and not what it is told. */
export function isOfAnswer(place: FilterPlace): boolean {
  return place === 'response' || place === 'tool_call';
}

/** The role of a message with the texts. */
export function roleOf({ place, role }: InspectionInput): string {
  return role ?? (isOfAnswer(place) ? 'assistant' : place === 'tool_result' ? 'tool' : 'user');
}
