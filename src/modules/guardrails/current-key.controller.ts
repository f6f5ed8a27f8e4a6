import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { CurrentKeyResponse } from '../keys/keys.service.js';
import { CurrentKeyService } from './current-key.service.js';

/** What the holder of a key can ask about it. It is here and not with the keys, because guardrails are part of the answer. */
@Controller('key')
@ApiTags('API Keys')
export class CurrentKeyController {
  constructor(private readonly currentKey: CurrentKeyService) {}

  @Get()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: CurrentKeyResponse,
    summary: 'Get the current key',
    description:
      'The key that the request is made with: its limit, what it has spent, and the regions that its guardrails allow.',
    errors: [400, 403],
  })
  getCurrentKey(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({}) _nothing: object,
  ): Promise<CurrentKeyResponse> {
    return this.currentKey.describe(caller);
  }
}
