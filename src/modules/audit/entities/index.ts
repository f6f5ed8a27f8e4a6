import { AuditEventEntity } from './audit-event.entity.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { AuditHeadLogEntity } from './audit-head-log.entity.js';
import { AuditLargeChangesEntity } from './audit-large-changes.entity.js';
import { AuditLinkEntity } from './audit-link.entity.js';

/** Every entity of this module. */
export const AUDIT_ENTITIES = [
  AuditEventEntity,
  AuditHeadEntity,
  AuditHeadLogEntity,
  AuditLargeChangesEntity,
  AuditLinkEntity,
];
