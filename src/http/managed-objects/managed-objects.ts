import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

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

/** What files configure (docs/configuration.md#owners). The module of the configuration provides it. */
export abstract class ManagedObjects {
  /** Finds an object that files configure; undefined for one that none do. */
  abstract find(object: NamedObject): Promise<ManagedObject | undefined>;

  /** Notes that an object was changed by other means than its files. @param objectId that of {@link find} */
  abstract noteDrift(organizationId: string, section: string, objectId: string): Promise<void>;
}

const MANAGED_METADATA = 'gatehouse:managed-by-files';

/** How an operation is about an object that files may configure. */
export interface ManagedOperation {
  /** The list of files that has such objects. */
  readonly section: string;
  /** Whether it changes what files say. */
  readonly isChange: boolean;
  /** Whether the id in the path is one of the workspace in the query. */
  readonly isOfWorkspace: boolean;
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

/** How an operation is about objects that files may configure; undefined for one that is not. */
export function managedOperationOf(handler: object): ManagedOperation | undefined {
  return Reflect.getMetadata(MANAGED_METADATA, handler) as ManagedOperation | undefined;
}
