import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { type CurrentKeyResponse, KeysService } from '../keys/keys.service.js';
import { CURRENT_KEY } from './current-key.repository.js';

/** Describes the key of a caller, with what guardrails make of it. */
@Injectable()
export class CurrentKeyService {
  constructor(private readonly keys: KeysService) {}

  /**
   * Describes the key that the caller has presented, in one read.
   *
   * @throws UnauthorizedError when it was deleted since
   */
  async describe(caller: ManagementPrincipal | ApiKeyPrincipal): Promise<CurrentKeyResponse> {
    return this.keys.getCurrent(caller, CURRENT_KEY);
  }
}
