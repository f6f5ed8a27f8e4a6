import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const MODULES = 'src/modules';

/** Names, each with the file that declares them. */
type Names = ReadonlyMap<string, string>;

/** A name that a file imports of another file of the repository. */
interface ImportedName {
  readonly importer: string;
  readonly file: string;
  readonly name: string;
}

function statementsOf(file: string): readonly ts.Statement[] {
  return [...ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest).statements];
}

/** The file that a specifier of another one means. @returns undefined for a package */
function resolved(importer: string, specifier: ts.Expression): string | undefined {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return undefined;
  return path.join(path.dirname(importer), specifier.text.replace(/\.js$/, '.ts'));
}

/** What the `index.ts` of a module says that others may import of it. */
function faceOf(module: string): Names {
  const index = path.join(MODULES, module, 'index.ts');
  const names = new Map<string, string>();
  for (const statement of statementsOf(index)) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !statement.exportClause) {
      throw new Error(`${index} has something besides \`export { ... } from '...'\``);
    }
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`${index} exports a whole file`);
    const file = resolved(index, statement.moduleSpecifier)!;
    for (const { name } of statement.exportClause.elements) names.set(name.text, file);
  }
  return names;
}

function importsOf(importer: string): ImportedName[] {
  return statementsOf(importer).flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [];
    const file = resolved(importer, statement.moduleSpecifier);
    const bindings = statement.importClause?.namedBindings;
    if (file === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name, propertyName }) => ({
      importer,
      file,
      name: (propertyName ?? name).text,
    }));
  });
}

/** The module of a file; undefined for one of none. */
function moduleOf(file: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1];
}

const modules = readdirSync(MODULES);
const faces = new Map(modules.map((module) => [module, faceOf(module)]));
const shipped = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file))
  .map((file) => path.join('src', file));
const importsFromOutside = shipped
  .flatMap(importsOf)
  .filter(({ importer, file }) => moduleOf(file) !== undefined && moduleOf(importer) !== moduleOf(file));

describe('the index.ts of a module', () => {
  it('names whatever others import of the module, and the file that it is imported from', () => {
    const unnamed = importsFromOutside.filter(({ file, name }) => faces.get(moduleOf(file)!)!.get(name) !== file);

    expect(importsFromOutside.length).toBeGreaterThan(1_000);
    expect(unnamed.map(({ importer, file, name }) => `${importer}: ${name} of ${file}`)).toEqual([]);
  });

  it.each(modules)('of %s names nothing that no other module imports', (module) => {
    const imported = new Set(
      importsFromOutside.filter(({ file }) => moduleOf(file) === module).map(({ name }) => name),
    );

    expect([...faces.get(module)!.keys()].filter((name) => !imported.has(name))).toEqual([]);
  });
});
