import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { GatehouseRequest } from '../request.js';
import {
  type AlsoChanged,
  type ManagedOperation,
  managedOperationOf,
  ManagedObjects,
  type ManagedRequest,
} from './managed-objects.js';
import { ObjectManagedByFiles } from './managed-objects.errors.js';

/** The header of an answer that shows an object which files configure: their owner. */
const MANAGED_BY_HEADER = 'X-Managed-By';

/** Keeps what files configure from being changed unawares by other means (docs/configuration.md#owners). */
@Injectable()
export class ManagedObjectsInterceptor implements NestInterceptor {
  constructor(
    private readonly objects: ManagedObjects,
    private readonly modules: ModuleRef,
  ) {}

  /** @throws ObjectManagedByFiles without `override=true` */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = managedOperationOf(context.getHandler());
    if (operation === undefined) return next.handle();
    const http = context.switchToHttp();
    return from(this.checked(operation, http.getRequest(), http.getResponse(), next));
  }

  private async checked(
    operation: ManagedOperation,
    request: ManagedRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const { section, isChange, isOfWorkspace, alsoChanged } = operation;
    const { organizationId } = request;
    const [id] = Object.values(request.params);
    const isOverridden = request.overridesFiles === true;
    const answer = async (): Promise<unknown> => {
      if (organizationId === undefined || alsoChanged === undefined) return lastValueFrom(next.handle());
      const others = await this.modules.get<AlsoChanged>(alsoChanged, { strict: false }).find(request, organizationId);
      return this.objects.changing(organizationId, others, isOverridden, () => lastValueFrom(next.handle()));
    };
    if (organizationId === undefined || typeof id !== 'string' || section === undefined) return answer();
    const workspace = isOfWorkspace ? { workspace: workspaceOf(request) } : {};
    const managed = await this.objects.find({ organizationId, section, id, ...workspace });
    if (managed === undefined) return answer();
    const { owner, objectId } = managed;
    const revokes = section === 'keys' && isRevocation(request);
    if (isChange && !isOverridden && !revokes) throw new ObjectManagedByFiles({ owner });
    response.setHeader(MANAGED_BY_HEADER, owner);
    const answered = await answer();
    if (isChange) await this.objects.noteDrift(organizationId, section, objectId);
    return answered;
  }
}

/** The workspace that a request names, or else that of its key; null for the default one. */
function workspaceOf({ query, principal }: ManagedRequest): string | null {
  const { workspace_id: named } = query;
  if (typeof named === 'string') return named;
  return principal?.workspaceId ?? null;
}

/** Whether a request only takes a key out of use, which nobody has to wait for. */
function isRevocation({ method, body }: GatehouseRequest): boolean {
  if (method === 'DELETE') return true;
  const fields = Object.entries((body ?? {}) as Readonly<Record<string, unknown>>);
  return fields.length === 1 && fields[0]![0] === 'disabled' && fields[0]![1] === true;
}
