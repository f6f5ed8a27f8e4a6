import type { Dialect } from '../../http/dialect/dialect.js';
import type { DatedHead } from './audit-heads.repository.js';
import type { AuditedChanges } from './audited-event.js';
import type { AuditEvent } from './dto/audit-event.dto.js';
import type { AuditHead } from './dto/audit-head.dto.js';
import type { AuditEventEntity } from './entities/audit-trail.entity.js';

/** An event with its place in the chain. */
export interface LinkedEvent extends AuditEventEntity {
  readonly sequence: string;
  readonly hash: Buffer;
}

/** An event as the interface shows it: it is stored, and hashed, with the field names of the default dialect. */
export function toAuditEventResponse(event: LinkedEvent, dialect: Dialect): AuditEvent {
  return {
    id: event.id,
    sequence: Number(event.sequence),
    action: event.action,
    actor: { kind: event.actorKind, id: event.actorId, credential_id: event.credentialId },
    target: { type: event.targetType, id: event.targetId },
    changes: event.changes && (dialect.write(event.changes) as AuditedChanges),
    request_id: event.requestId,
    address: event.address,
    created_at: event.createdAt.toISOString(),
    hash: event.hash.toString('hex'),
  };
}

/** The end of a chain as the interface shows it. @param head undefined before the first event */
export function toAuditHeadResponse(head: DatedHead | undefined): AuditHead {
  if (head === undefined) return { sequence: 0, hash: null, recorded_at: null };
  const { sequence, hash, createdAt } = head;
  return { sequence: Number(sequence), hash, recorded_at: createdAt?.toISOString() ?? null };
}
