import { Injectable } from '@nestjs/common';
import { type PageRow, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { AUDIT_EVENTS_PAGE, AUDIT_FILTERS, type AuditFilter, filteredAuditPage } from './audit-page.js';
import type { LinkedEvent } from './audit.mapper.js';

/** What to search events by. */
export type AuditSearch = Partial<Readonly<Record<AuditFilter, string | Date>>>;

/** The rows of events, with their links. */
@Injectable()
export class AuditRepository {
  constructor(private readonly statements: Statements) {}

  /** One page of the organization's events, in the order of its chain. */
  async page(organizationId: string, search: AuditSearch, { limit, offset }: PageWindow): Promise<Page<LinkedEvent>> {
    const filters = AUDIT_FILTERS.filter((filter) => search[filter] !== undefined);
    const statement = filters.length === 0 ? AUDIT_EVENTS_PAGE : filteredAuditPage(filters);
    const values = [organizationId, ...filters.map((filter) => search[filter]), limit, offset];
    return toPage(await this.statements.rows<PageRow<LinkedEvent>>(statement, values));
  }
}
