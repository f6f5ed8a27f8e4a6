import { Injectable } from '@nestjs/common';
import { type CatalogDocument, readCatalogDocuments } from './catalog-document.js';
import { CatalogImportRepository } from './catalog-import.repository.js';
import { stateAfter } from './catalog-state.js';
import { type ImportReport, reportOn } from './import-report.js';

/** Thrown to roll back a dry run. */
class DryRun extends Error {
  constructor(readonly report: ImportReport) {
    super('the import was only tried out');
  }
}

/** Imports documents into the catalog, all or nothing. */
@Injectable()
export class CatalogImportService {
  constructor(private readonly repository: CatalogImportRepository) {}

  /** Whether there is no catalog yet. */
  async isEmpty(): Promise<boolean> {
    return this.repository.isEmpty();
  }

  /**
   * Imports documents. A list replaces the one before it: missing entries are retired, which hides them from lists but
   * not from guardrails. Importing the same again changes nothing.
   *
   * @param dryRun only report, and change nothing
   * @throws InvalidCatalog with every issue
   */
  async import(documents: readonly CatalogDocument[], dryRun = false): Promise<ImportReport> {
    const entries = readCatalogDocuments(documents);
    try {
      return await this.repository.transaction(async (tx) => {
        const before = await this.repository.load(tx);
        const after = stateAfter(before, entries);
        await this.repository.save(tx, before, after);
        const report = reportOn(entries, before, after);
        if (dryRun) throw new DryRun(report);
        return report;
      });
    } catch (error) {
      if (error instanceof DryRun) return error.report;
      throw error;
    }
  }
}
