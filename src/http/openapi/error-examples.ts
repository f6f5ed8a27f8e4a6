import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from './open-api-31.js';

type Paths = OpenAPIObject['paths'];

interface ErrorContent {
  readonly schema: { readonly $ref: string };
  readonly example?: object;
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, ErrorContent>>;
}

/** The examples of one form and status, and how often each stands in the document. */
type Counted = Map<string, { readonly example: object; count: number }>;

/**
 * Keeps one example of a failure for each form and status, the most frequent, in place of one at each response of each operation, which
 * would be a quarter of the document.
 *
 * @returns the paths, whose responses refer to the examples, and these by name
 */
export function sharedErrorExamples(paths: Paths): { paths: Paths; examples: Record<string, { value: object }> } {
  const found = new Map<string, Counted>();
  mapErrors(paths, (name, content) => {
    const { example = {} } = content;
    const counted = found.get(name) ?? (new Map() as Counted);
    found.set(name, counted);
    const text = JSON.stringify(example);
    const before = counted.get(text)?.count ?? 0;
    counted.set(text, { example, count: before + 1 });
    return content;
  });
  const examples = [...found].map(([name, counted]) => {
    const [most] = [...counted.values()].sort((one, other) => other.count - one.count);
    return [name, { value: most!.example }] as const;
  });
  return {
    paths: mapErrors(paths, (name, { example: _example, ...content }) => ({
      ...content,
      examples: { failure: { $ref: `#/components/examples/${name}` } },
    })),
    examples: Object.fromEntries(examples.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Converts what is said of each failure. @param convert is given the name of its example */
function mapErrors(paths: Paths, convert: (name: string, content: ErrorContent) => object): Paths {
  return mapOperations(paths, (operation) => {
    const responses = Object.entries(operation['responses'] as Readonly<Record<string, DocumentedResponse>>);
    const converted = responses.map(([status, response]) => {
      const isFailure = Number(status) >= 400 && response.content !== undefined;
      if (!isFailure) return [status, response] as const;
      const content = Object.entries<ErrorContent>(response.content).map(([type, one]) => [
        type,
        convert(nameOf(status, one), one),
      ]);
      return [status, { ...response, content: Object.fromEntries(content) as object }] as const;
    });
    return { ...operation, responses: Object.fromEntries(converted) as object };
  });
}

function nameOf(status: string, { schema }: ErrorContent): string {
  return `${schema.$ref.split('/').at(-1)!}${status}`;
}
