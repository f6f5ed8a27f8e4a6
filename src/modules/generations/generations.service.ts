import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { GatheredWork } from '../../limits/gathered-work.js';
import { RequestSlots } from '../../limits/request-slots.js';
import type { GenerationQuery, GenerationResponse } from './dto/generation.dto.js';
import type { GenerationEntity } from './entities/generation.entity.js';
import { GenerationNotFound } from './generations.errors.js';
import { toGenerationResponse } from './generations.mapper.js';
import { GenerationsRepository } from './generations.repository.js';

/** How many records are written with one statement, which has to end within the time limit of a statement. */
const LARGEST_BATCH = 200;

/** The records of inference requests. */
@Injectable()
export class GenerationsService {
  private readonly writes: GatheredWork<GenerationEntity, void>;

  constructor(
    private readonly repository: GenerationsRepository,
    slots: RequestSlots,
  ) {
    this.writes = new GatheredWork(
      (organizationId, generations) =>
        slots.run(organizationId, () => this.repository.insert(organizationId, generations)),
      LARGEST_BATCH,
    );
  }

  /**
   * Stores a record, and charges its cost to its key, before the caller sees the end of the answer. Records of one organization that
   * wait are written together.
   */
  async record(generation: GenerationEntity): Promise<void> {
    await this.writes.run(generation.organizationId, generation);
  }

  /**
   * A record of the organization; an API key sees those of its own requests.
   *
   * @throws GenerationNotFound
   */
  async get(caller: ManagementPrincipal | ApiKeyPrincipal, { id }: GenerationQuery): Promise<GenerationResponse> {
    const generation = await this.repository.find(caller.organizationId, id);
    const isForeign = caller.kind === 'api_key' && generation?.keyId !== caller.credentialId;
    if (generation === undefined || isForeign) throw new GenerationNotFound();
    return { data: toGenerationResponse(generation) };
  }
}
