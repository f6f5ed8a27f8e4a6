export { AuditHeadLogService } from './audit-head-log.service.js';
export {
  type Actor,
  auditedInsert,
  type AuditedParts,
  auditedRowsStatement,
  type AuditedStatement,
  auditedStatement,
  auditEventOf,
  AuditTrail,
  COMMAND_LINE,
  SERVICE,
} from './audit-trail.js';
export {
  type Anchor,
  AuditVerificationService,
  type ChainIssue,
  type ChainReport,
  type UncheckedChain,
} from './audit-verification.service.js';
export { AuditedRows } from './audited-rows.js';
export { AuditExportService } from './export/audit-export.service.js';
export { AuditModule } from './audit.module.js';
export { auditSearchOf, AuditService } from './audit.service.js';
export {
  type AuditedChange,
  type AuditedChanges,
  type AuditedEvent,
  created,
  deleted,
  updated,
} from './audited-event.js';
export { DEPLOYMENT_CHAIN, DeploymentTrail } from './deployment-trail.service.js';
export {
  type AuditEvent,
  type ExportAuditEventsQuery,
  type ListAuditEventsQuery,
  type ListAuditEventsResponse,
} from './dto/audit-event.dto.js';
