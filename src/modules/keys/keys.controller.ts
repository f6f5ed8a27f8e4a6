import { Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { DeleteKeysResponse } from './dto/delete-key-response.dto.js';
import { KeyPath } from './dto/key-path.dto.js';
import { KeysService } from './keys.service.js';

/** The operations on API keys. */
@Controller('keys')
@ApiTags('API Keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Delete(':hash')
  @Authenticated('management_key', 'client_secret')
  @Answers({
    status: 200,
    type: DeleteKeysResponse,
    summary: 'Delete an API key',
    description:
      'With a client secret only the keys that this client created; any other answers as if it did not exist. Limited per credential: a 429 says in Retry-After when to try again.',
    errors: [400, 403, 404, 429],
    reasons: { 404: 'key_not_found', 429: 'key_deletion_rate_limit' },
  })
  deleteKeys(
    @Caller() caller: ManagementPrincipal | ClientPrincipal,
    @Input({ path: KeyPath }) input: KeyPath,
  ): Promise<DeleteKeysResponse> {
    return this.keys.delete(caller, input);
  }
}
