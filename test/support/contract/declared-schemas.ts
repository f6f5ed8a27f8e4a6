import path from 'node:path';
import type { AnySchemaObject } from 'ajv';
import ts from 'typescript';

/*
 * Libraries of clients declare the answers that they read as types, which nothing compares with what a server sends. Here such a type
 * becomes a JSON schema: an answer fits it where every required field is there and of its type. Further fields are allowed.
 */

/** Declarations of a library. */
export interface Declarations {
  /** Below `node_modules`. */
  readonly folder: string;
  /** Those that declare the types and what they refer to: no others are read, because all of a library take ten seconds. */
  readonly files: readonly [string, ...string[]];
}

/**
 * The schemas of types that a library declares.
 *
 * @param names of types that the first file exports
 * @throws Error for a type that refers to a file which is not among those given
 */
export function declaredSchemas<Name extends string>(
  { folder, files }: Declarations,
  names: readonly Name[],
): Readonly<Record<Name, AnySchemaObject>> {
  const paths = files.map((file) => path.join(process.cwd(), 'node_modules', folder, file));
  const program = ts.createProgram(paths, { strict: true, noResolve: true, lib: ['lib.es5.d.ts'], types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(paths[0]!);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${paths[0]} declares nothing`);
  const exported = checker.getExportsOfModule(module);
  const schemas = names.map((name): [Name, AnySchemaObject] => {
    const symbol = exported.find((one) => one.name === name);
    if (symbol === undefined) throw new Error(`${paths[0]} does not declare ${name}`);
    return [name, new SchemaWriter(checker).document(checker.getDeclaredTypeOfSymbol(aliased(checker, symbol)))];
  });
  return Object.fromEntries(schemas) as Record<Name, AnySchemaObject>;
}

function aliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Writes one type with those that it refers to, each of which is a definition, because types may contain themselves. */
class SchemaWriter {
  private readonly references = new Map<ts.Type, string>();
  private readonly definitions: Record<string, AnySchemaObject> = {};

  constructor(private readonly checker: ts.TypeChecker) {}

  document(type: ts.Type): AnySchemaObject {
    const schema = this.written(type);
    return { ...schema, $defs: this.definitions };
  }

  private written(type: ts.Type): AnySchemaObject {
    const { flags } = type;
    if (flags & ts.TypeFlags.Any) throw new Error('A type refers to a file that is not among those given.');
    if (flags & ts.TypeFlags.Unknown) return {};
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: this.checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (type.isUnion()) return { anyOf: type.types.filter((one) => !isUndefined(one)).map((one) => this.written(one)) };
    // A text of any wording beside known words is written as `string & {}`.
    if (type.isIntersection()) return { allOf: type.types.map((one) => this.written(one)) };
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: this.written(item!) };
    }
    return this.referred(type);
  }

  private referred(type: ts.Type): AnySchemaObject {
    const known = this.references.get(type);
    if (known !== undefined) return { $ref: known };
    const name = `${this.references.size}`;
    this.references.set(type, `#/$defs/${name}`);
    this.definitions[name] = this.object(type);
    return { $ref: `#/$defs/${name}` };
  }

  private object(type: ts.Type): AnySchemaObject {
    const properties: Record<string, AnySchemaObject> = {};
    const required: string[] = [];
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      const valueType = this.checker.getTypeOfSymbol(symbol);
      properties[symbol.name] = this.written(valueType);
      if (!canBeAbsent(symbol, valueType)) required.push(symbol.name);
    }
    // The type without any property is what is left of `string & {}`.
    if (required.length === 0 && Object.keys(properties).length === 0) return {};
    return { type: 'object', properties, required };
  }
}

function isUndefined({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

function canBeAbsent({ flags }: ts.Symbol, type: ts.Type): boolean {
  if (flags & ts.SymbolFlags.Optional) return true;
  return type.isUnion() ? type.types.some(isUndefined) : isUndefined(type);
}
