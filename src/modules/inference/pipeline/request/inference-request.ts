import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { DataRegion } from '../../../../config/data-region.js';
import { type InferenceRecord, OPERATIONS } from '../../../../telemetry/operations.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { OnTextMatch } from '../../../content/content-result.js';
import { timeOfGeneration } from '../../../generations/generation-time.js';
import type { HypotheticalAssignment } from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { ReferenceImages } from '../../../providers/upstream/reference-images.js';
import { newGenerationId } from './generation-id.js';
import { RequestClock } from './request-clock.js';
import type { InferenceOperation, RoutedBody } from './operation.js';
import { type NamedSubject, namedSubjectOf } from './request-subject.js';

/** What a decision about a request needs to know of it, besides its body. */
export interface ArrivedRequest {
  /** The id of the generation; empty for a request that gets no record. */
  readonly id: string;
  /** When it came, as prices are in force; absent for a request that is only tried. */
  readonly createdAt?: Date;
  readonly caller: ApiKeyPrincipal;
  /** For whom it says that it is. */
  readonly subject: NamedSubject;
  /** The size of the body as it came, in bytes. */
  readonly bodyBytes: number;
  /** Its `Via`; undefined for none, and for a request that is only tried. */
  readonly via?: string | undefined;
  /** An assignment that applies as if it existed; absent for a request that is to be answered. */
  readonly hypothetical?: HypotheticalAssignment;
  /** Is called with every match of a content filter; absent where matches are not shown. */
  readonly matched?: OnTextMatch;
}

/** What a body says of its request for the record. */
interface RequestDescription extends NamedSubject {
  readonly apiType: InferenceRecord;
  readonly streamed: boolean;
  /** The model as the caller wrote it. */
  readonly requestedModel: string;
  readonly dataRegion: DataRegion;
}

/** A request that gets a record: who has sent it, when, and what it says of itself. */
export class InferenceRequest implements ArrivedRequest {
  readonly id = newGenerationId(Date.now());
  /** The second that the id states. */
  readonly createdAt = timeOfGeneration(this.id)!;
  /** When it came, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt = performance.now();
  readonly clock = new RequestClock();
  /** What was fetched for it, for all attempts. */
  readonly references = new ReferenceImages();

  /** Is told of a retry at a provider, on a fresh connection; set with each attempt. */
  repeated: (() => void) | undefined;

  /** @param adjustments what is left out of the request or changed in it; its translation into a chat may have noted some */
  constructor(
    readonly caller: ApiKeyPrincipal,
    readonly http: GatehouseRequest,
    readonly description: RequestDescription,
    readonly adjustments = new RequestAdjustments(http.heldMemory?.size),
  ) {}

  /**
   * A request as its body describes it.
   *
   * @param streamed whether the answer is a stream
   * @param adjustments those that its translation has noted
   */
  static of(
    { name }: Pick<InferenceOperation<never>, 'name'>,
    caller: ApiKeyPrincipal,
    body: RoutedBody & { readonly model?: string | undefined; readonly models?: readonly string[] | null | undefined },
    http: GatehouseRequest,
    { streamed, dataRegion }: Pick<RequestDescription, 'streamed' | 'dataRegion'>,
    adjustments?: RequestAdjustments,
  ): InferenceRequest {
    const description = {
      apiType: OPERATIONS[name].record,
      streamed,
      requestedModel: body.model ?? body.models?.[0] ?? '',
      ...namedSubjectOf(body, http),
      dataRegion,
    };
    return new InferenceRequest(caller, http, description, adjustments);
  }

  /** Unix time in seconds. */
  get created(): number {
    return this.createdAt.getTime() / 1000;
  }

  get organizationId(): string {
    return this.caller.organizationId;
  }

  get subject(): NamedSubject {
    return this.description;
  }

  get via(): string | undefined {
    return this.http.headers.via;
  }

  get bodyBytes(): number {
    return this.http.heldMemory?.size ?? 0;
  }

  /** What the answer holds, until it has been sent. */
  get memory(): AnswerMemory {
    return this.http.heldMemory ?? UNCOUNTED_MEMORY;
  }

  /** Forgets the memory of an answer that is not used, because another one is asked for. */
  releaseAnswer(): void {
    this.http.heldMemory?.releaseAnswer();
  }
}

/** What a call of a provider has to know of the request that it is for. */
export type CallingRequest = Pick<
  InferenceRequest,
  'id' | 'organizationId' | 'clock' | 'references' | 'repeated' | 'adjustments' | 'via' | 'memory' | 'releaseAnswer'
>;
