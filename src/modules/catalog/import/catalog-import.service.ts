import { Injectable } from '@nestjs/common';
import { type CatalogDocument, readCatalogDocuments } from './catalog-document.js';
import { CatalogImportRepository } from './catalog-import.repository.js';
import { type AuditedChanges, type AuditedEvent, created } from '../../audit/audited-event.js';
import { DeploymentTrail } from '../../audit/deployment-trail.service.js';
import { stateAfter } from './catalog-state.js';
import { requireWholeLists } from './whole-lists.js';
import { type ImportReport, reportOn } from './import-report.js';

// For modules that add entries of their own.

/** How documents are imported. */
export interface ImportOptions {
  /** Only report, and change nothing. */
  readonly dryRun?: boolean;
  /**
   * Take the lists as complete: entries that they lack are retired, which hides them from lists but not from guardrails. Public
   * lists do not retire the operator's own models and endpoints.
   */
  readonly replace?: boolean;
  /** Also take a list as complete that has less than half of what there is. */
  readonly retireMost?: boolean;
  /** What an operator has done, which is recorded with what the import changes (docs/interface/audit.md#deployment). */
  readonly event?: Pick<AuditedEvent, 'action' | 'targetId'>;
}

/** Thrown to roll back a dry run. */
class DryRun extends Error {
  constructor(readonly report: ImportReport) {
    super('the import was only tried out');
  }
}

/** Imports documents into the catalog, all or nothing. */
@Injectable()
export class CatalogImportService {
  constructor(
    private readonly repository: CatalogImportRepository,
    private readonly trail: DeploymentTrail,
  ) {}

  async isEmpty(): Promise<boolean> {
    return this.repository.isEmpty();
  }

  /**
   * Imports documents: adds what is new, and changes what is known (docs/interface/catalog-import.md). Importing the same again
   * changes nothing.
   *
   * @throws InvalidCatalog with every issue
   */
  async import(
    documents: readonly CatalogDocument[],
    { dryRun = false, replace = false, retireMost = false, event }: ImportOptions = {},
  ): Promise<ImportReport> {
    const entries = readCatalogDocuments(documents);
    try {
      return await this.repository.transaction(async (tx) => {
        const before = await this.repository.load(tx);
        const replaced = stateAfter(before, entries, true);
        const after = replace ? replaced : stateAfter(before, entries, false);
        if (replace && !retireMost) requireWholeLists(entries, before);
        await this.repository.save(tx, before, after);
        const report = reportOn(entries, before, after, replaced);
        if (dryRun) throw new DryRun(report);
        if (event !== undefined) await this.trail.record(tx, { ...event, changes: recordedOf(report, { replace }) });
        return report;
      });
    } catch (error) {
      if (error instanceof DryRun) return error.report;
      throw error;
    }
  }
}

/** What is recorded of an import: the keys of the entries that it changes, by list. */
function recordedOf(report: ImportReport, how: Readonly<Record<string, unknown>>): AuditedChanges {
  const lists = { ...report, aliases: undefined, unchargeable: undefined };
  const changed = Object.entries(lists).flatMap(([list, entries]) => {
    if (entries === undefined) return [];
    const { added, changed: altered, retired } = entries;
    return [[snakeCased(list), { added, changed: altered, retired }] as const];
  });
  return created({ ...how, ...Object.fromEntries(changed) });
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
