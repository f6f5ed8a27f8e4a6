import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { invocationDirectory } from '../bootstrap/load-environment.js';
import { BODY_BOUNDS, exceededBound, parsedIfJson } from '../http/input/json-bounds.js';
import type { CatalogDocument } from '../modules/catalog/import/catalog-document.js';
import { InvalidCatalog } from '../modules/catalog/import/invalid-catalog.js';
import { CatalogImportService } from '../modules/catalog/import/catalog-import.service.js';
import type { ImportReport, ListReport } from '../modules/catalog/import/import-report.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface ImportCommandOptions extends JsonOption {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly retireMost?: boolean;
}

/** `gatehouse catalog`: commands for the model catalog. */
export function catalogCommand(): Command {
  return new Command('catalog').addCommand(importCommand());
}

function importCommand(): Command {
  return withJson(new Command('import'))
    .description(
      'add the models, providers and endpoints of files to the catalog, and update those that it has: public lists, or lists of your own (docs/interface/catalog-import.md)',
    )
    .argument('<files...>', 'JSON files')
    .option('--dry-run', 'only report the changes')
    .option('--replace', 'take the lists as complete, and retire what they lack')
    .option('--retire-most', 'with --replace: even if a list has less than half of what the catalog has')
    .action(async (files: string[], { dryRun = false, replace, retireMost, ...options }: ImportCommandOptions) => {
      const documents = await Promise.all(files.map(readDocument));
      const report = await withApplicationContext((context) =>
        context
          .get(CatalogImportService)
          .import(documents, { dryRun, replace, retireMost, event: { action: 'catalog.import' } }),
      );
      const lines = [...describe(report), ...(dryRun ? ['Dry run: nothing was changed.'] : [])];
      printResult(options, toJson(report, dryRun), ...lines);
    });
}

async function readDocument(file: string): Promise<CatalogDocument> {
  try {
    const text = await readFile(path.resolve(invocationDirectory(), file), 'utf8');
    if (text === '') throw new Error('is empty');
    const { depth } = BODY_BOUNDS;
    // Deeper nesting would overflow the stack of recursive checks.
    if (exceededBound(text, { depth, values: Infinity })) throw new Error(`is nested deeper than ${depth} levels`);
    const content = parsedIfJson(text);
    if (content === undefined) throw new Error('is not JSON, or was cut off');
    return { source: file, content };
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
  const { added, changed, retired, wouldRetire, unchanged } = report;
  return [
    `${name}: ${added.length} added, ${changed.length} changed, ${retired.length} retired, ${unchanged} unchanged`,
    ...added.map((id) => `  + ${id}`),
    ...changed.map((id) => `  ~ ${id}`),
    ...retired.map((id) => `  - ${id}`),
    ...(wouldRetire.length === 0 ? [] : [`  ${wouldRetire.length} not in the files stay; --replace retires them:`]),
    ...wouldRetire.map((id) => `    ${id}`),
  ];
}

function toJson(report: ImportReport, dryRun: boolean): object {
  return {
    dry_run: dryRun,
    providers: listToJson(report.providers),
    models: listToJson(report.models),
    image_models: listToJson(report.imageModels),
    endpoints: listToJson(report.endpoints),
    image_endpoints: listToJson(report.imageEndpoints),
    aliases: report.aliases,
    unchargeable: report.unchargeable,
  };
}

function listToJson(report: ListReport | undefined): object | undefined {
  if (report === undefined) return undefined;
  const { wouldRetire, ...changes } = report;
  return { ...changes, would_retire: wouldRetire };
}
