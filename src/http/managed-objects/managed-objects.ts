import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { GatehouseRequest } from '../request.js';
import { ObjectManagedByFiles } from './managed-objects.errors.js';

/** An object as a request names it. */
export interface NamedObject {
  readonly organizationId: string;
  /** The list of files that has such objects. */
  readonly section: string;
  /** As a path has it. */
  readonly id: string;
  /** Where the id is one of a workspace: the id of that; null for the default one. */
  readonly workspace?: string | null;
}

/** An object that files configure. */
export interface ManagedObject {
  readonly owner: string;
  /** As files are kept with it. */
  readonly objectId: string;
}

/** Objects of a list of files. */
export interface ObjectsOfSection {
  readonly section: string;
  /** As files are kept with them. */
  readonly ids: readonly string[];
}

/** What files configure (docs/configuration.md#owners). The module of the configuration provides it. */
export abstract class ManagedObjects {
  /** Finds an object that files configure; undefined for one that none do. */
  abstract find(object: NamedObject): Promise<ManagedObject | undefined>;

  /** Finds those of some objects that files configure, in the order of their ids. */
  abstract among(organizationId: string, objects: ObjectsOfSection): Promise<readonly ManagedObject[]>;

  /**
   * Does what changes objects, and notes those of them that files configure as changed.
   *
   * @param isOverridden whether that is meant
   * @throws ObjectManagedByFiles where it is not
   */
  async changing<Result>(
    organizationId: string,
    objects: readonly ObjectsOfSection[],
    isOverridden: boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const managed: (ManagedObject & { readonly section: string })[] = [];
    for (const one of objects) {
      if (one.ids.length === 0) continue;
      const { section } = one;
      managed.push(...(await this.among(organizationId, one)).map((found) => ({ ...found, section })));
    }
    if (managed.length > 0 && !isOverridden) throw new ObjectManagedByFiles({ owner: managed[0]!.owner });
    const result = await work();
    for (const { section, objectId } of managed) await this.noteDrift(organizationId, section, objectId);
    return result;
  }

  /** Notes that an object was changed by other means than its files. @param objectId that of {@link find} */
  abstract noteDrift(organizationId: string, section: string, objectId: string): Promise<void>;
}

const MANAGED_METADATA = 'gatehouse:managed-by-files';
const ALSO_CHANGED_METADATA = 'gatehouse:also-changed';

/** Finds what an operation changes of the organization besides the object in its path. It is a provider of a module. */
export interface AlsoChanged {
  find(request: ManagedRequest, organizationId: string): Promise<readonly ObjectsOfSection[]>;
}

/** A request of a caller, whose key may be one of a workspace. */
export type ManagedRequest = GatehouseRequest & { readonly principal?: { readonly workspaceId?: string | null } };

/** How an operation is about objects that files may configure. */
export interface ManagedOperation {
  /** The list of files that has such objects as the one in the path; undefined where the path has none. */
  readonly section?: string;
  /** Whether it changes what files say. */
  readonly isChange: boolean;
  /** Whether the id in the path is one of the workspace in the query. */
  readonly isOfWorkspace: boolean;
  /** What finds further objects that it changes. */
  readonly alsoChanged?: Type<AlsoChanged>;
}

/** What {@link ManagedByFiles} is told besides the list. */
interface ManagedOptions {
  /** Further verbs that change what files say. */
  readonly changedBy?: readonly RequestMethod[];
  readonly isOfWorkspace?: boolean;
}

/**
 * Declares that the operations of a controller with a path parameter are about objects that files may configure: a PUT, a PATCH or a DELETE of such an
 * object needs `override=true`, and answers that show one name the owner.
 *
 * @param section the list of files that has them
 */
export function ManagedByFiles(
  section: string,
  { changedBy = [], isOfWorkspace = false }: ManagedOptions = {},
): ClassDecorator {
  return (type) => {
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(type.prototype as object))) {
      const handler: unknown = value;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
      const [path, verb] = [
        Reflect.getMetadata(PATH_METADATA, handler) as string,
        Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod,
      ];
      const controller = Reflect.getMetadata(PATH_METADATA, type) as string;
      if (!`${controller}/${path}`.includes(':')) continue;
      const isChange = [RequestMethod.PUT, RequestMethod.PATCH, RequestMethod.DELETE, ...changedBy].includes(verb);
      if (isChange || verb === RequestMethod.GET)
        Reflect.defineMetadata(MANAGED_METADATA, { section, isChange, isOfWorkspace }, handler);
    }
  };
}

/** Declares that an operation changes further objects that files may configure: these need `override=true`, too. */
export function AlsoChanges(type: Type<AlsoChanged>): MethodDecorator {
  return (_prototype, _method, { value }: PropertyDescriptor) =>
    Reflect.defineMetadata(ALSO_CHANGED_METADATA, type, value as object);
}

/** How an operation is about objects that files may configure; undefined for one that is not. */
export function managedOperationOf(handler: object): ManagedOperation | undefined {
  const operation = Reflect.getMetadata(MANAGED_METADATA, handler) as ManagedOperation | undefined;
  const alsoChanged = Reflect.getMetadata(ALSO_CHANGED_METADATA, handler) as Type<AlsoChanged> | undefined;
  if (alsoChanged === undefined) return operation;
  return { isOfWorkspace: false, ...operation, isChange: true, alsoChanged };
}
