import type { ManagementPrincipal } from '../../../auth/principal.js';
import type { Precondition } from '../../../http/precondition.js';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
  type WantedObjects,
} from './configured-kind.js';

/** A page of a list, perhaps of a workspace. */
interface Listed {
  readonly limit: number;
  readonly offset: number;
  readonly workspace_id?: string;
}

/**
 * The service of a kind as nearly all services of the interface are. Their methods have narrower types: an entry has been compared with the
 * classes of the requests before.
 */
export interface ObjectService {
  list(caller: ManagementPrincipal, page: Listed): Promise<{ readonly data: readonly ShownObject[] }>;
  get(caller: ManagementPrincipal, path: never): Promise<ObjectAnswer>;
  create(caller: ManagementPrincipal, input: never): Promise<ObjectAnswer>;
  update(caller: ManagementPrincipal, input: never, precondition: Precondition): Promise<unknown>;
  delete(caller: ManagementPrincipal, path: never, precondition: Precondition): Promise<unknown>;
}

/** A service that looks up addresses, which ends when the client has gone. */
export interface AddressingService extends Omit<ObjectService, 'create' | 'update'> {
  create(caller: ManagementPrincipal, input: never, signal: AbortSignal): Promise<ObjectAnswer>;
  update(caller: ManagementPrincipal, input: never, signal: AbortSignal, precondition: Precondition): Promise<unknown>;
}

/** A kind whose service has the operations of the interface on it, by what stands in their paths. */
export abstract class ServedKind extends ConfiguredKind {
  protected abstract readonly service: Omit<ObjectService, 'create' | 'update'>;
  /** What one is found by in a path. */
  protected readonly pathField: string = 'id';
  /** Whether one is only listed with its workspace. */
  protected readonly isListedByWorkspace: boolean = false;

  override async list(
    { caller, inventory }: KindContext,
    _wanted: WantedObjects | undefined,
  ): Promise<readonly ShownObject[]> {
    if (!this.isListedByWorkspace) return everyPage((page) => this.service.list(caller, page));
    const objects: ShownObject[] = [];
    for (const { id } of await inventory.all('workspaces')) {
      objects.push(...(await everyPage((page) => this.service.list(caller, { ...page, workspace_id: id }))));
    }
    return objects;
  }

  override idOf(shown: ShownObject): string {
    return (shown as Readonly<Record<string, string>>)[this.pathField]!;
  }

  protected override get({ caller }: KindContext, id: string): Promise<ObjectAnswer> {
    return this.service.get(caller, { [this.pathField]: id } as never);
  }

  override delete({ caller }: KindContext, id: string, precondition: Precondition): Promise<unknown> {
    return this.service.delete(caller, { [this.pathField]: id } as never, precondition);
  }
}

/** A kind whose service looks nothing up outside. */
export abstract class LocalKind extends ServedKind {
  protected abstract override readonly service: ObjectService;

  protected override make({ caller }: KindContext, input: Fields, _secret: string | undefined): Promise<ObjectAnswer> {
    return this.service.create(caller, input as never);
  }

  override update({ caller }: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown> {
    return this.service.update(caller, { ...input, [this.pathField]: id } as never, precondition);
  }
}

/** A kind with addresses that its service looks up. */
export abstract class AddressedKind extends ServedKind {
  protected abstract override readonly service: AddressingService;

  protected override make({ caller, signal }: KindContext, input: Fields): Promise<ObjectAnswer> {
    return this.service.create(caller, input as never, signal);
  }

  override update(
    { caller, signal }: KindContext,
    id: string,
    input: Fields,
    precondition: Precondition,
  ): Promise<unknown> {
    return this.service.update(caller, { ...input, [this.pathField]: id } as never, signal, precondition);
  }
}
