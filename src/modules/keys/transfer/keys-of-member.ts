import { Injectable } from '@nestjs/common';
import type { AlsoChanged, ManagedRequest, ObjectsOfSection } from '../../../http/managed-objects/managed-objects.js';
import { KeyTransfersRepository } from './key-transfers.repository.js';

/** The keys that get another owner with all others of a member. */
@Injectable()
export class KeysOfMember implements AlsoChanged {
  constructor(private readonly repository: KeyTransfersRepository) {}

  async find({ params }: ManagedRequest, organizationId: string): Promise<ObjectsOfSection[]> {
    return this.of(organizationId, params['id'] as string);
  }

  /** The keys for inference of a member, as files are kept with them. */
  async of(organizationId: string, userId: string): Promise<ObjectsOfSection[]> {
    return [{ section: 'keys', ids: await this.repository.keysOf(organizationId, userId) }];
  }
}
