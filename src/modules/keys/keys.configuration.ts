import { Injectable } from '@nestjs/common';
import {
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
  type WantedObjects,
} from '../configuration/kinds/configured-kind.js';
import { ConfigurationRepository } from '../configuration/configuration.repository.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { CreateKeyRequest, type Key, UpdateKeyRequest } from './dto/key.dto.js';
import { KeyRotationListeners } from './key-rotation-listeners.js';
import { KeyNotFound } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';

/** API keys as files configure them (docs/configuration.md#keys). */
@Injectable()
export class KeysConfiguration extends LocalKind {
  readonly section = 'keys';
  readonly one = 'key';
  readonly permission = 'keys_write';
  override readonly workspace = 'default';
  readonly creation = CreateKeyRequest;
  readonly change = UpdateKeyRequest;
  override readonly references = { creator: { to: 'members', wire: 'creator_user_id' } };
  override readonly omitted = ['external'];
  override readonly takesOwnSecret = true;
  protected override readonly pathField = 'hash';

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: KeysService,
    private readonly repository: KeysRepository,
    configuration: ConfigurationRepository,
    rotations: KeyRotationListeners,
  ) {
    super();
    kinds.add(this);
    rotations.register(configuration);
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

  override ofWorkspace({ caller }: KindContext, workspaceId: string): Promise<readonly ShownObject[]> {
    return everyPage((page) =>
      this.service.list(caller, { ...page, include_disabled: 'true', workspace_id: workspaceId }),
    );
  }

  protected override make({ caller }: KindContext, input: Fields, secret: string | undefined): Promise<ObjectAnswer> {
    return this.service.create(caller, input as unknown as CreateKeyRequest, secret);
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
