import { Injectable } from '@nestjs/common';
import { CatalogRepository } from './catalog.repository.js';
import { type Catalog, toCatalog } from './catalog-model.js';

/**
 * The catalog in force, read once an edition. Every call asks the database which edition that is, so that what one replica
 * imports all of them know at once (docs/adr/0008).
 */
@Injectable()
export class CurrentCatalog {
  private read: { readonly edition: string; readonly catalog: Promise<Catalog> } | undefined;

  constructor(private readonly repository: CatalogRepository) {}

  async get(): Promise<Catalog> {
    const edition = await this.repository.edition();
    if (this.read?.edition === edition) return this.read.catalog;
    const catalog = this.repository.everything().then(toCatalog);
    const read = { edition, catalog };
    this.read = read;
    try {
      return await catalog;
    } catch (error) {
      // Whoever comes next tries again.
      if (this.read === read) this.read = undefined;
      throw error;
    }
  }
}
