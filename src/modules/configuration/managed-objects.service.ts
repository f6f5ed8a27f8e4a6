import { Injectable } from '@nestjs/common';
import { ManagedObjects } from '../../http/managed-objects/managed-objects.js';
import { ConfigurationRepository } from './configuration.repository.js';

/** What files configure, for the operations on it. */
@Injectable()
export class ManagedObjectsService extends ManagedObjects {
  constructor(private readonly repository: ConfigurationRepository) {
    super();
  }

  override ownerOf(organizationId: string, section: string, id: string): Promise<string | undefined> {
    return this.repository.ownerOf(organizationId, section, id);
  }

  override noteDrift(organizationId: string, section: string, id: string): Promise<void> {
    return this.repository.noteDrift(organizationId, section, id);
  }
}
