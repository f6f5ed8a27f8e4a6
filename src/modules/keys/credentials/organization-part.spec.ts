import { newOrganizationId } from '../../../persistence/identifiers.js';
import { organizationIdOf, organizationPartOf } from './key-format.js';

const ZEROS = `org_${'0'.repeat(32)}`;
const ONES = `org_${'f'.repeat(32)}`;

/** The largest part: 2^128 - 1 in base62. */
const GREATEST_PART = '7n42DGM5Tflk9n8mt7Fhc7';

describe('organizationPartOf and organizationIdOf', () => {
  it.each([
    ['zeros alone', ZEROS, '0'.repeat(22)],
    ['ones alone', ONES, GREATEST_PART],
    ['the number 1', `org_${'0'.repeat(31)}1`, `${'0'.repeat(21)}1`],
    ['the number 61', `org_${'0'.repeat(30)}3d`, `${'0'.repeat(21)}z`],
    ['the number 62', `org_${'0'.repeat(30)}3e`, `${'0'.repeat(20)}10`],
    ['the highest bit alone', `org_8${'0'.repeat(31)}`, '3tX16dB2jpss4tZORYcqo4'],
    ['a UUIDv7', 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62', '031f7GbuPo0GnCsEhZdbqU'],
  ])('state and read the id of %s', (_, organizationId, part) => {
    expect(organizationPartOf(organizationId)).toBe(part);
    expect(organizationIdOf(part)).toBe(organizationId);
  });

  it('give every id back', () => {
    const ids = Array.from({ length: 1_000 }, newOrganizationId);

    expect(ids.map((id) => organizationIdOf(organizationPartOf(id)))).toEqual(ids);
    expect(ids.map(organizationPartOf).filter((part) => !/^[0-9A-Za-z]{22}$/.test(part))).toEqual([]);
  });
});

describe('organizationPartOf', () => {
  it.each(['', 'org_', 'org_1', ZEROS.slice(0, -1), `${ZEROS}0`, ZEROS.slice(4), ONES.toUpperCase(), `${ZEROS}\n`])(
    'throws a RangeError for %p, which is not the id of an organization',
    (organizationId) => {
      expect(() => organizationPartOf(organizationId)).toThrow(RangeError);
    },
  );
});

describe('organizationIdOf', () => {
  it.each([
    ['nothing', ''],
    ['21 digits', '0'.repeat(21)],
    ['23 digits', '0'.repeat(23)],
    ['the largest part in lower case', '7n42dgm5tflk9n8mt7fhc7'],
    ['the number 2^128', '7n42DGM5Tflk9n8mt7Fhc8'],
    ['the largest number of 22 digits', 'z'.repeat(22)],
    ['a hyphen', `-${'0'.repeat(21)}`],
    ['an underscore', `${'0'.repeat(21)}_`],
    ['a space', ` ${'0'.repeat(21)}`],
    ['a line break', `${'0'.repeat(21)}\n`],
    ['a letter with an accent', `${'0'.repeat(21)}\u00e9`],
    ['a digit of another script', `${'0'.repeat(21)}\u0661`],
  ])('knows no organization of %s', (_, part) => {
    expect(organizationIdOf(part)).toBeUndefined();
  });

  it('reads a part in another case as another id, or none', () => {
    const id = 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62';
    const part = organizationPartOf(id);

    expect(organizationIdOf(part.toUpperCase())).not.toBe(id);
    expect(organizationIdOf(part.toLowerCase())).not.toBe(id);
  });
});
