import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';

/** An OpenAPI document, as far as two are compared. */
interface ComparedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ComparedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ComparedSchema>>;
    readonly responses?: Readonly<Record<string, Body>>;
  };
}

interface Body {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: ComparedSchema }>>;
}

interface ComparedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: ComparedSchema }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

type ComparedSchema = JsonSchema & { readonly allOf?: readonly JsonSchema[] };

/** How deep the fields of an answer are compared: `data`, its items, and objects in them. */
const DEPTH = 3;

/** The copies of the public interface's description; what several have is compared with the first of them. */
const CONTRACTS = ['identity', 'management', 'inference', 'private-models', 'areas'].map(
  (name) => `test/contract/${name}-contract.json`,
);

/** What the default dialect calls otherwise. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['"X-OpenRouter-Metadata"', '"X-Router-Metadata"'],
  ['"openrouter_metadata"', '"router_metadata"'],
];

/** The words of each field; none for a field that is no enumeration. */
type Fields = ReadonlyMap<string, readonly string[]>;

/** An operation, by the fields of its request and of its answer. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly request: Fields;
  readonly answer: Fields;
}

/** The operations of our own document, by method and path. */
export function ownOperations(): ReadonlyMap<string, DescribedOperation> {
  return operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')) as ComparedDocument, '/api/v1');
}

/** The operations of the public interface. */
export function publicOperations(): ReadonlyMap<string, DescribedOperation> {
  const all = new Map<string, DescribedOperation>();
  for (const file of CONTRACTS) {
    const text = RENAMED.reduce((rest, [theirs, ours]) => rest.replaceAll(theirs, ours), readFileSync(file, 'utf8'));
    for (const [name, operation] of operationsOf(JSON.parse(text) as ComparedDocument, '')) {
      if (!all.has(name)) all.set(name, operation);
    }
  }
  return all;
}

/**
 * What one operation has and the other has not, such as `answer data[].alias_target: theirs`.
 *
 * @param theirs of the public interface
 */
export function differencesOf(theirs: DescribedOperation, ours: DescribedOperation): string[] {
  return (['request', 'answer'] as const).flatMap((part) => {
    // A body of any form, such as that which becomes a preset, has nothing to compare.
    if (theirs[part].size === 0 || ours[part].size === 0) return [];
    const names = [...new Set([...theirs[part].keys(), ...ours[part].keys()])];
    return names.flatMap((name) => {
      const [one, other] = [theirs[part].get(name), ours[part].get(name)];
      if (one === undefined || other === undefined) {
        // What is in an object that one of them lacks, or does not describe, is no difference of its own.
        const [without, parent] = [one === undefined ? theirs : ours, parentOf(name)];
        if (parent !== undefined && !hasFieldsIn(without[part], parent)) return [];
        return [`${part} ${name}: ${one === undefined ? 'ours' : 'theirs'}`];
      }
      return [...wordsBeyond(one, other, 'theirs'), ...wordsBeyond(other, one, 'ours')].map(
        (difference) => `${part} ${name} ${difference}`,
      );
    });
  });
}

function parentOf(name: string): string | undefined {
  const end = name.lastIndexOf('.');
  return end === -1 ? undefined : name.slice(0, end);
}

function hasFieldsIn(fields: Fields, parent: string): boolean {
  return [...fields.keys()].some((name) => name.startsWith(`${parent}.`));
}

/** Only what both describe as enumerations is compared. */
function wordsBeyond(words: readonly string[], others: readonly string[], whose: string): string[] {
  if (words.length === 0 || others.length === 0) return [];
  const beyond = words.filter((word) => !others.includes(word)).sort();
  return beyond.length === 0 ? [] : [`= ${beyond.join(', ')}: ${whose}`];
}

function operationsOf(document: ComparedDocument, prefix: string): Map<string, DescribedOperation> {
  const reader = new FieldReader(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path.slice(prefix.length).replaceAll(/\{\w+\}/g, '{}')}`;
      const { operationId } = operation;
      return [name, { operationId, request: reader.request(operation), answer: reader.answer(operation) }] as const;
    }),
  );
  return new Map(operations);
}

class FieldReader {
  constructor(private readonly document: ComparedDocument) {}

  request({ parameters = [], requestBody }: ComparedOperation): Fields {
    const fields = new Map<string, readonly string[]>();
    for (const { in: place, name, schema } of parameters) {
      if (place === 'query') fields.set(`?${name}`, this.words(schema));
    }
    const schema = this.jsonOf(requestBody);
    if (schema !== undefined) this.collect(schema, '', 1, fields);
    return fields;
  }

  answer({ responses }: ComparedOperation): Fields {
    const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const fields = new Map<string, readonly string[]>();
    const schema = this.jsonOf(success?.[1]);
    if (schema !== undefined) this.collect(schema, '', DEPTH, fields);
    return fields;
  }

  private jsonOf(body: Body | undefined): ComparedSchema | undefined {
    if (body?.$ref !== undefined) return this.jsonOf(this.document.components.responses?.[lastOf(body.$ref)]);
    return body?.content?.['application/json']?.schema;
  }

  private collect(schema: ComparedSchema, place: string, depth: number, fields: Map<string, readonly string[]>): void {
    if (depth === 0) return;
    for (const { properties = {}, items } of this.forms(schema)) {
      if (items !== undefined) this.collect(items, `${place}[]`, depth, fields);
      for (const [name, child] of Object.entries(properties)) {
        const inner = place === '' ? name : `${place}.${name}`;
        fields.set(inner, [...new Set([...(fields.get(inner) ?? []), ...this.words(child)])]);
        this.collect(child, inner, depth - 1, fields);
      }
    }
  }

  private words(schema: ComparedSchema): string[] {
    return this.forms(schema).flatMap((form) => {
      const own = [...(form.enum ?? []), form.const].filter((word) => typeof word === 'string');
      return form.items === undefined ? own : [...own, ...this.words(form.items)];
    });
  }

  /** The schema behind its references, in all of its forms. */
  private forms(schema: ComparedSchema): ComparedSchema[] {
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
    const referred = $ref === undefined ? [] : [this.document.components.schemas[lastOf($ref)]!];
    return [schema, ...[...referred, ...allOf, ...anyOf, ...oneOf].flatMap((part) => this.forms(part))];
  }
}

function lastOf(reference: string): string {
  return reference.split('/').at(-1)!;
}
