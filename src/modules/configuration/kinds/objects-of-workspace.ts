import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import type { AlsoChanged, ManagedRequest, ObjectsOfSection } from '../../../http/managed-objects/managed-objects.js';
import { ConfigurationRepository } from '../configuration.repository.js';
import { Inventory } from '../plan/inventory.js';
import type { KindContext, WantedObjects } from './configured-kind.js';
import { ConfiguredKinds } from './configured-kinds.js';

/** What files configure in a workspace, and which goes with it. */
@Injectable()
export class ObjectsOfWorkspace implements AlsoChanged {
  constructor(
    private readonly kinds: ConfiguredKinds,
    private readonly repository: ConfigurationRepository,
  ) {}

  async find({ params, principal }: ManagedRequest, organizationId: string): Promise<ObjectsOfSection[]> {
    const ids = new Map<string, Set<string>>();
    for (const { section, objectId } of await this.repository.managed(organizationId, null)) {
      ids.set(section, (ids.get(section) ?? new Set()).add(objectId));
    }
    const those = this.kinds.all.filter(({ workspace, section }) => workspace !== 'never' && ids.has(section));
    if (those.length === 0) return [];
    const wanted = new Map<string, WantedObjects>(
      [...ids].map(([section, ofSection]) => [section, { names: new Set(), ids: ofSection }]),
    );
    const inventory: Inventory = new Inventory(this.kinds, () => context, wanted);
    const context: KindContext = {
      caller: principal as unknown as ManagementPrincipal,
      inventory,
      signal: new AbortController().signal,
    };
    const called = params['id'] as string;
    const workspace = (await inventory.all('workspaces')).find(
      ({ id, name }) => id === called.toLowerCase() || name === called,
    );
    const found: ObjectsOfSection[] = [];
    for (const { section } of those) {
      const inside = (await inventory.all(section)).filter(
        ({ id, workspaceId }) => workspaceId === workspace?.id && ids.get(section)!.has(id),
      );
      found.push({ section, ids: inside.map(({ id }) => id) });
    }
    return found;
  }
}
