import { Injectable } from '@nestjs/common';
import { type ApiKeyPrincipal, isManagement, type ManagementPrincipal } from '../../auth/principal.js';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { Statements } from '../../persistence/statements.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CounterUse } from '../limits/limit-counters.js';
import { type OutboxEntry, sizeOfEntry } from '../observability/delivery/outbox/enqueue-events.js';
import { EncryptedContents } from './content/encrypted-contents.js';
import type { GenerationContent } from './content/generation-content.js';
import type { GenerationContentResponse } from './content/generation-content.dto.js';
import { toContentResponse } from './content/generation-content.mapper.js';
import type { GenerationQuery, GenerationResponse } from './dto/generation.dto.js';
import { GenerationContentNotFound, GenerationNotFound } from './generations.errors.js';
import { toGenerationResponse } from './generations.mapper.js';
import { LateGenerations } from './late-generations.js';
import {
  GenerationsRepository,
  isRefusedRow,
  type RecordToInsert,
  type StoredGeneration,
} from './generations.repository.js';

/** A record that is to be stored. */
export interface NewGeneration extends StoredGeneration {
  /** What was sent and delivered, where the workspace has it logged. */
  readonly content?: GenerationContent;
  /** What destinations get of it; absent where none gets any. */
  readonly outbox?: OutboxEntry;
  /** What it has used of limits by condition and group; absent where none applied. */
  readonly uses?: readonly CounterUse[];
}

/** How many records are written with one statement, which has to end within the time limit of a statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** How many bytes the contents have that are written with one statement, which is twice as long: one content has about three MiB at most. */
const MAXIMUM_CONTENTS_BYTES = 4 * 1_048_576;

/** The records of inference requests. */
@Injectable()
export class GenerationsService {
  private readonly writes: Batcher<RecordToInsert, void>;

  constructor(
    private readonly repository: GenerationsRepository,
    private readonly contents: EncryptedContents,
    private readonly late: LateGenerations,
    private readonly slots: RequestSlots,
    private readonly logger: ServiceLogger,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {
    this.writes = new Batcher(
      (organizationId, generations) => this.write(organizationId, generations),
      MAXIMUM_BATCH_SIZE,
      {
        of: ({ content, outbox }) => (content?.length ?? 0) + sizeOfEntry(outbox),
        heaviest: MAXIMUM_CONTENTS_BYTES,
      },
    );
  }

  /**
   * Stores a record with its content, and charges its cost to its key, before the caller sees the end of the answer. Records of
   * one organization that wait are written together, up to the size of their contents that a batch may have.
   */
  async record({ content, ...generation }: NewGeneration): Promise<void> {
    const encrypted = content === undefined ? null : this.contents.encrypted(generation, content);
    await this.writes.run(generation.organizationId, { content: encrypted, ...generation });
  }

  /**
   * Records a request that must be stored, because it costs something or has a reservation: if it cannot be stored now, it is stored later,
   * without its content (docs/budgets.md#when-the-database-is-gone).
   *
   * @param afterFailure the record of the same request where it could not be stored in time, with what its client is told of that
   * @throws what {@link record} throws
   */
  async recordInAnyCase(
    generation: NewGeneration,
    afterFailure: (error: unknown) => Promise<NewGeneration>,
  ): Promise<void> {
    try {
      await this.record(generation);
    } catch (error) {
      if (!isRefusedRow(error)) this.late.add({ ...(await afterFailure(error)), content: null });
      throw error;
    }
  }

  /** Stores records of one organization without contents. @returns the outcome of each record */
  async recordAll(
    organizationId: string,
    generations: readonly Omit<NewGeneration, 'content' | 'outbox'>[],
  ): Promise<readonly Outcome<void>[]> {
    return this.write(
      organizationId,
      generations.map((generation) => ({ ...generation, content: null })),
    );
  }

  /**
   * A record of the organization; an API key sees those of its own requests.
   *
   * @throws GenerationNotFound
   */
  async get(caller: ManagementPrincipal | ApiKeyPrincipal, { id }: GenerationQuery): Promise<GenerationResponse> {
    const generation = await this.repository.find(caller.organizationId, id);
    return { data: toGenerationResponse(seenBy(caller, generation), isManagement(caller)) };
  }

  /**
   * What was sent and delivered, for those who see the record. Each read is recorded before it is answered: the words may be another person's.
   *
   * @throws GenerationNotFound
   * @throws GenerationContentNotFound when it is not kept, or cannot be decrypted
   */
  async content(
    caller: ManagementPrincipal | ApiKeyPrincipal,
    { id }: GenerationQuery,
  ): Promise<GenerationContentResponse> {
    const { content, ...generation } = seenBy(caller, await this.repository.findWithContent(caller.organizationId, id));
    if (content === null) throw new GenerationContentNotFound();
    const decrypted = this.decrypted({ ...generation, content });
    await this.statements.transaction((tx) =>
      this.audit.record(tx, caller.organizationId, caller, { action: 'generation.read_content', targetId: id }),
    );
    return { data: toContentResponse(generation, decrypted) };
  }

  private write(organizationId: string, generations: readonly RecordToInsert[]): Promise<readonly Outcome<void>[]> {
    return this.slots.run(organizationId, () => this.repository.insert(organizationId, generations));
  }

  private decrypted(stored: StoredGeneration & { readonly content: Buffer }): GenerationContent {
    try {
      return this.contents.decrypted(stored);
    } catch (error) {
      this.logger.warn(`the content of generation ${stored.id} cannot be read: ${(error as Error).message}`);
      throw new GenerationContentNotFound();
    }
  }
}

/**
 * @throws GenerationNotFound if there is no record, or if it belongs to another key than the API key of the caller, or to another person
 *   where the caller reaches only what is their own
 */
function seenBy<Row extends StoredGeneration>(
  caller: ManagementPrincipal | ApiKeyPrincipal,
  generation: Row | undefined,
): Row {
  if (generation === undefined || !isSeenBy(caller, generation)) throw new GenerationNotFound();
  return generation;
}

function isSeenBy(caller: ManagementPrincipal | ApiKeyPrincipal, { keyId, userId }: StoredGeneration): boolean {
  if (isManagement(caller)) return !caller.onlyOwn || userId === caller.userId;
  return keyId === caller.credentialId;
}
