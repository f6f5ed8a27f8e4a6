import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { callerDirectory } from '../bootstrap/load-environment.js';
import { BODY_BOUNDS, exceededBound } from '../api/input/json-bounds.js';
import { CatalogImportService } from '../modules/catalog/import/catalog-import.service.js';
import { type CatalogDocument, InvalidCatalog } from '../modules/catalog/import/catalog-document.js';
import type { ImportReport, ListReport } from '../modules/catalog/import/import-report.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface ImportOptions extends JsonOption {
  readonly dryRun?: boolean;
}

/** `gatehouse catalog`: commands for the model catalog. */
export function catalogCommand(): Command {
  return new Command('catalog').description('manage the catalog of models').addCommand(importCommand());
}

function importCommand(): Command {
  return withJson(new Command('import'))
    .description('import files into the catalog: the public lists of models, image models, providers and endpoints')
    .argument('<files...>', 'JSON files')
    .option('--dry-run', 'only report the changes')
    .action(async (files: string[], { dryRun = false, ...options }: ImportOptions) => {
      const documents = await Promise.all(files.map(readDocument));
      const report = await withApplicationContext((context) =>
        context.get(CatalogImportService).import(documents, dryRun),
      );
      const lines = [...describe(report), ...(dryRun ? ['Dry run: nothing was changed.'] : [])];
      printResult(options, toJson(report, dryRun), ...lines);
    });
}

async function readDocument(file: string): Promise<CatalogDocument> {
  try {
    const bytes = await readFile(path.resolve(callerDirectory(), file));
    const { depth } = BODY_BOUNDS;
    // Deeper nesting would overflow the stack of recursive checks.
    if (exceededBound(bytes, { depth, values: Infinity })) throw new Error(`is nested deeper than ${depth} levels`);
    return { source: file, content: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch (error) {
    throw new InvalidCatalog([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function describe(report: ImportReport): string[] {
  const { providers, models, imageModels, endpoints, imageEndpoints, aliases, unchargeable = [] } = report;
  return [
    ...describeList('Providers', providers),
    ...describeList('Models', models),
    ...describeList('Image models', imageModels),
    ...describeList('Endpoints', endpoints),
    ...describeList('Image endpoints', imageEndpoints),
    `Aliases: ${aliases}`,
    ...(unchargeable.length === 0
      ? []
      : [
          `Listed, but not routed to, because requests cannot be charged by the price: ${unchargeable.length}`,
          ...unchargeable.map(({ entry, price }) => `  ! ${entry}: ${price}`),
        ]),
  ];
}

function describeList(name: string, report: ListReport | undefined): string[] {
  if (report === undefined) return [];
  const { added, changed, retired, unchanged } = report;
  return [
    `${name}: ${added.length} added, ${changed.length} changed, ${retired.length} retired, ${unchanged} unchanged`,
    ...added.map((id) => `  + ${id}`),
    ...changed.map((id) => `  ~ ${id}`),
    ...retired.map((id) => `  - ${id}`),
  ];
}

function toJson(report: ImportReport, dryRun: boolean): object {
  return {
    dry_run: dryRun,
    providers: report.providers,
    models: report.models,
    image_models: report.imageModels,
    endpoints: report.endpoints,
    image_endpoints: report.imageEndpoints,
    aliases: report.aliases,
    unchargeable: report.unchargeable,
  };
}
