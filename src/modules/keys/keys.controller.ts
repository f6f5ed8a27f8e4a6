import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { CreateKeyRequest } from './dto/create-key-request.dto.js';
import { DeleteKeysResponse } from './dto/delete-key-response.dto.js';
import { IssuedKeyResponse, KeyResponse, ListKeysResponse } from './dto/key.dto.js';
import { KeyPath } from './dto/key-path.dto.js';
import { ListKeysQuery } from './dto/list-keys-query.dto.js';
import { RotateRequest } from './dto/rotate-request.dto.js';
import { UpdateKeyRequest } from './dto/update-key-request.dto.js';
import { KeysService } from './keys.service.js';

/** The operations on API keys. */
@Controller('keys')
@ApiTags('API Keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: IssuedKeyResponse,
    summary: 'Create an API key',
    description:
      'The key itself is in this answer only; label is a masked form of it. A secret in external.api_key is accepted beside it, and is in no answer at all.',
    errors: [400, 403, 409, 413],
    reasons: { 409: 'external_api_key_taken' },
  })
  createKeys(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateKeyRequest }) input: CreateKeyRequest,
  ): Promise<IssuedKeyResponse> {
    return this.keys.create(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListKeysResponse,
    summary: 'List API keys',
    description:
      'Oldest first. Disabled keys only where they are asked for; expired ones always. Management keys are not listed.',
    errors: [400, 403],
  })
  list(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: ListKeysQuery }) input: ListKeysQuery,
  ): Promise<ListKeysResponse> {
    return this.keys.list(caller, input);
  }

  @Get(':hash')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: KeyResponse,
    summary: 'Get a key',
    description: 'During the grace of a rotation the old hash finds the key as well.',
    errors: [400, 403, 404],
    reasons: { 404: 'key_not_found' },
  })
  getKey(@Caller() caller: ManagementPrincipal, @Input({ path: KeyPath }) input: KeyPath): Promise<KeyResponse> {
    return this.keys.get(caller, input);
  }

  @Patch(':hash')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: KeyResponse,
    summary: 'Change a key',
    description:
      'Fields that are left out stay as they are. A management key may disable itself, and is refused from then on. A disabled management key is enabled by a management key of the same user only.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'key_not_found' },
  })
  updateKeys(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: KeyPath, body: UpdateKeyRequest }) input: KeyPath & UpdateKeyRequest,
  ): Promise<KeyResponse> {
    return this.keys.update(caller, input);
  }

  @Delete(':hash')
  @Authenticated('management_key', 'client_secret')
  @Answers({
    status: 200,
    type: DeleteKeysResponse,
    summary: 'Delete an API key',
    description:
      'With a client secret only the keys that this client created; any other answers as if it did not exist. Limited per credential: a 429 says in Retry-After when to try again.',
    unavailableStatus: 500,
    errors: [400, 403, 404, 429],
    reasons: { 404: 'key_not_found', 429: 'key_deletion_rate_limit' },
  })
  deleteKeys(
    @Caller() caller: ManagementPrincipal | ClientPrincipal,
    @Input({ path: KeyPath }) input: KeyPath,
  ): Promise<DeleteKeysResponse> {
    return this.keys.delete(caller, input);
  }

  @Post(':hash/rotate')
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: IssuedKeyResponse,
    summary: 'Give a key another secret',
    description:
      'Hash and label change; all else stays. The old secret is taken until the grace ends. A rotation during a grace ends that grace: a key has two secrets at most. A management key is rotated by itself only. A hash that was replaced already is a 409.',
    errors: [400, 403, 404, 409, 413],
    reasons: { 404: 'key_not_found', 409: 'key_already_rotated' },
  })
  rotateKey(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: KeyPath, optionalBody: RotateRequest }) input: KeyPath & RotateRequest,
  ): Promise<IssuedKeyResponse> {
    return this.keys.rotate(caller, input);
  }
}
