import { Injectable } from '@nestjs/common';
import type { Precondition } from '../../http/precondition.js';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
  type WantedObjects,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { CreateKeyRequest, type Key, UpdateKeyRequest } from './dto/key.dto.js';
import { KeyNotFound } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';

/** API keys as files configure them (docs/configuration.md#keys). */
@Injectable()
export class KeysConfiguration extends ConfiguredKind {
  readonly section = 'keys';
  readonly one = 'key';
  readonly permission = 'keys_write';
  override readonly workspace = 'default';
  readonly creation = CreateKeyRequest;
  readonly change = UpdateKeyRequest;
  override readonly references = { creator: { to: 'members', wire: 'creator_user_id' } };
  override readonly omitted = ['external'];
  override readonly takesOwnSecret = true;

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: KeysService,
    private readonly repository: KeysRepository,
  ) {
    super();
    kinds.add(this);
  }

  override async list({ caller }: KindContext, wanted: WantedObjects | undefined): Promise<readonly ShownObject[]> {
    if (wanted === undefined) {
      return everyPage((page) => this.service.list(caller, { ...page, include_disabled: 'true' }));
    }
    const named = await this.repository.hashesByNames(caller.organizationId, [...wanted.names]);
    const keys: Key[] = [];
    for (const hash of new Set([...named, ...wanted.ids])) {
      try {
        keys.push((await this.service.get(caller, { hash })).data);
      } catch (error) {
        if (!(error instanceof KeyNotFound)) throw error;
      }
    }
    return keys;
  }

  protected override get({ caller }: KindContext, hash: string): Promise<ObjectAnswer> {
    return this.service.get(caller, { hash });
  }

  protected override make({ caller }: KindContext, input: Fields, secret: string | undefined): Promise<ObjectAnswer> {
    return this.service.create(caller, input as unknown as CreateKeyRequest, secret);
  }

  override update({ caller }: KindContext, hash: string, input: Fields, precondition: Precondition): Promise<unknown> {
    return this.service.update(caller, { ...input, hash }, precondition);
  }

  override delete({ caller }: KindContext, hash: string, precondition: Precondition): Promise<unknown> {
    return this.service.delete(caller, { hash }, precondition);
  }

  override idOf(shown: ShownObject): string {
    return (shown as Key).hash;
  }

  /** What has been used would be missed. */
  override dependents(_context: KindContext, shown: ShownObject): Promise<readonly string[]> {
    const { last_used_at: used } = shown as Key;
    return Promise.resolve(used === null ? [] : [`whoever uses it: last at ${used}`]);
  }

  override warnings(before: Fields, after: Fields, shown: ShownObject): readonly string[] {
    const { usage } = shown as Key;
    const [was, is] = [before['limit'], after['limit']] as [number | null, number | null];
    if (is === null || (was !== null && is >= was) || usage < is) return [];
    return [
      `lowers the limit to ${is} US dollars, of which ${usage} have been used: requests may be refused from then on`,
    ];
  }
}
