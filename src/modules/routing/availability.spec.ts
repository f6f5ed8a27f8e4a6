import { readFileSync } from 'node:fs';
import { DOCUMENTATION } from './availability.js';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: readonly string[] }>>>>;
}

describe('the documentation of a refusal', () => {
  it('is that of an operation which the document has', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Described;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const places = operations.flatMap(({ operationId, tags }) => tags.map((tag) => `/docs#/${tag}/${operationId}`));

    for (const place of Object.values(DOCUMENTATION)) expect(places).toContain(place);
  });
});
