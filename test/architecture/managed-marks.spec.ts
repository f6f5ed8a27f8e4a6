import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Objects without a page of their own: the list that has them says that files configure them. */
const WITHOUT_PAGE = ['federation_issuers', 'private_providers', 'scim_group_mappings'];

/** What follows a text in the sources below a folder. */
function namedIn(folder: string, pattern: RegExp): readonly string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name]) => name!)))].sort();
}

describe('the console', () => {
  /** What files configure, by the operations that refuse to change it without `override=true`. */
  const kinds = namedIn('src/modules', /@ManagedByFiles\('(\w+)'/g);

  it('marks in a list what files configure, of every kind', () => {
    expect(kinds.length).toBeGreaterThan(12);
    expect(namedIn('packages/console/src/pages', /<ManagedMark section="(\w+)"/g)).toEqual(
      expect.arrayContaining([...kinds]),
    );
  });

  it('says on the page of an object that files configure it, of every kind that has one', () => {
    const said = namedIn('packages/console/src/pages', /<ManagedNote section=(?:"|\{.* : ')(\w+)/g);
    expect(said).toEqual(expect.arrayContaining(kinds.filter((kind) => !WITHOUT_PAGE.includes(kind))));
  });
});
