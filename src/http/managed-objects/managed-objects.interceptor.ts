import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { GatehouseRequest } from '../request.js';
import { type ManagedOperation, managedOperationOf, ManagedObjects } from './managed-objects.js';
import { ObjectManagedByFiles } from './managed-objects.errors.js';

/** A request of a caller, whose key may be one of a workspace. */
type ManagedRequest = GatehouseRequest & { readonly principal?: { readonly workspaceId?: string | null } };

/** The header of an answer that shows an object which files configure: their owner. */
const MANAGED_BY_HEADER = 'X-Managed-By';

/** Keeps what files configure from being changed unawares by other means (docs/configuration.md#owners). */
@Injectable()
export class ManagedObjectsInterceptor implements NestInterceptor {
  constructor(private readonly objects: ManagedObjects) {}

  /** @throws ObjectManagedByFiles without `override=true` */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = managedOperationOf(context.getHandler());
    if (operation === undefined) return next.handle();
    const http = context.switchToHttp();
    return from(this.checked(operation, http.getRequest(), http.getResponse(), next));
  }

  private async checked(
    { section, isChange, isOfWorkspace }: ManagedOperation,
    request: ManagedRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const { organizationId } = request;
    const [id] = Object.values(request.params);
    const isOverridden = request.overridesFiles === true;
    if (organizationId === undefined || typeof id !== 'string') return lastValueFrom(next.handle());
    const workspace = isOfWorkspace ? { workspace: workspaceOf(request) } : {};
    const managed = await this.objects.find({ organizationId, section, id, ...workspace });
    if (managed === undefined) return lastValueFrom(next.handle());
    const { owner, objectId } = managed;
    const revokes = section === 'keys' && isRevocation(request);
    if (isChange && !isOverridden && !revokes) throw new ObjectManagedByFiles({ owner });
    response.setHeader(MANAGED_BY_HEADER, owner);
    const answer: unknown = await lastValueFrom(next.handle());
    if (isChange) await this.objects.noteDrift(organizationId, section, objectId);
    return answer;
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
