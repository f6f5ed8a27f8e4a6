import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { ConfigCipher } from './config-cipher.js';
import type { DestinationConfig } from './credential-mask.js';
import type { DestinationType } from './destination-type.js';
import type { DestinationPath } from './dto/destination-path.dto.js';
import type { GetObservabilityDestinationResponse } from './dto/destination.dto.js';
import { DestinationNotFound } from './observability.errors.js';
import { toDestinationResponse } from './observability.mapper.js';
import { ObservabilityRepository } from './observability.repository.js';

/** A destination to be made, with everything else as the contract has it by default. */
export interface NewDestination {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly type: DestinationType;
  readonly config: DestinationConfig;
}

/** Where generations are reported to. */
@Injectable()
export class ObservabilityService {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
  ) {}

  /**
   * One destination, its credentials masked (SERVICE.md, section 4.10).
   *
   * @throws DestinationNotFound also for an id that is not a UUID
   */
  async get(caller: ManagementPrincipal, input: DestinationPath): Promise<GetObservabilityDestinationResponse> {
    const destination = isUuid(input.id) ? await this.repository.find(caller.organizationId, input.id) : undefined;
    if (destination === undefined) throw new DestinationNotFound();
    const config = this.cipher.decrypt(destination.id, destination.encryptedConfig);
    return { data: toDestinationResponse(destination, config) };
  }

  /** Makes a destination. @returns its id */
  async create(manager: EntityManager, destination: NewDestination): Promise<string> {
    const { config, ...fields } = destination;
    const id = newUuid();
    const now = new Date();
    await this.repository.insert(manager, {
      ...fields,
      id,
      enabled: true,
      privacyMode: false,
      samplingRate: 1,
      broadcastGenerationCost: false,
      broadcastGenerationIdentity: false,
      broadcastGenerationRequestContext: false,
      apiKeyHashes: null,
      filterRules: null,
      encryptedConfig: this.cipher.encrypt(id, config),
      createdAt: now,
      updatedAt: now,
    });
    return id;
  }
}
