import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import type { GenerationQuery, GenerationResponse } from './dto/generation.dto.js';
import type { GenerationEntity } from './entities/generation.entity.js';
import { GenerationNotFound } from './generations.errors.js';
import { toGenerationResponse } from './generations.mapper.js';
import { GenerationsRepository } from './generations.repository.js';

/** The records of inference requests. */
@Injectable()
export class GenerationsService {
  constructor(private readonly repository: GenerationsRepository) {}

  /** Stores a record, and charges its cost to its key, before the caller sees the end of the answer. */
  async record(generation: GenerationEntity): Promise<void> {
    await this.repository.insert(generation);
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
