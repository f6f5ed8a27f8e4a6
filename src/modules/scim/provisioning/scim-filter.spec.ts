import { MAXIMUM_FILTER_LENGTH, parseFilter } from './scim-filter.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function path(attribute: string, sub?: string): object {
  return { isEnterprise: false, attribute, ...(sub !== undefined && { sub }) };
}

function eq(attribute: string, value: unknown, sub?: string): object {
  return { kind: 'compare', operator: 'eq', path: path(attribute, sub), value };
}

describe('parseFilter', () => {
  it.each([
    ['userName eq "x"', eq('username', 'x')],
    ['USERNAME EQ "X"', eq('username', 'X')],
    [`${USER}:userName eq "x"`, eq('username', 'x')],
    [
      `${ENTERPRISE}:department eq "R"`,
      { ...eq('department', 'R'), path: { isEnterprise: true, attribute: 'department' } },
    ],
    ['emails.value eq "x"', eq('emails', 'x', 'value')],
    ['active eq true', eq('active', true)],
    ['active eq True', eq('active', true)],
    ['title eq null', eq('title', null)],
    ['count eq -1.5e2', eq('count', -150)],
    ['userName eq "a\\"b\\\\c\\u00e9 ) ] and"', eq('username', 'a"b\\cé ) ] and')],
    ['title pr', { kind: 'present', path: path('title') }],
    ['id eq "g" and members eq "u"', { kind: 'and', filters: [eq('id', 'g'), eq('members', 'u')] }],
    [
      'a eq 1 or b eq 2 and c eq 3',
      { kind: 'or', filters: [eq('a', 1), { kind: 'and', filters: [eq('b', 2), eq('c', 3)] }] },
    ],
    [
      'not (a eq 1) and (b eq 2 or c eq 3)',
      {
        kind: 'and',
        filters: [
          { kind: 'not', filter: eq('a', 1) },
          { kind: 'or', filters: [eq('b', 2), eq('c', 3)] },
        ],
      },
    ],
    ['emails[type eq "work"]', { kind: 'some', path: path('emails'), filter: eq('type', 'work') }],
    [
      'emails[type eq "work"].value eq "x"',
      {
        kind: 'some',
        path: path('emails'),
        filter: { kind: 'and', filters: [eq('type', 'work'), eq('value', 'x')] },
      },
    ],
  ])('reads %s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  it.each([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq x',
    "userName eq 'x'",
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" "y"',
    'userName like "x"',
    'eq "x"',
    '"userName" eq "x"',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'emails[type eq "work"].value',
    'emails[]',
    'userName eq {"a":1}',
    'userName eq [1]',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'a.b.c eq "x"',
    '__proto__ eq "x"',
    'constructor.prototype.x eq "x"',
    'urn:unknown:2.0:User:userName eq "x"',
    'not userName eq "x"',
    '\u{1F600} eq "x"',
  ])('refuses %p', (text) => {
    expect(() => parseFilter(text)).toThrow('scim_invalid_filter');
  });

  it('refuses more than 20 comparisons, 10 levels and 2,048 characters, and takes as many', () => {
    const comparisons = (count: number): string => Array.from({ length: count }, () => 'a eq 1').join(' or ');
    const levels = (count: number): string => `${'('.repeat(count)}a eq 1${')'.repeat(count)}`;
    const characters = (count: number): string => `a eq "${'x'.repeat(count - 7)}"`;

    for (const text of [comparisons(20), levels(10), characters(MAXIMUM_FILTER_LENGTH)]) parseFilter(text);
    for (const text of [comparisons(21), levels(11), characters(MAXIMUM_FILTER_LENGTH + 1)]) {
      expect(() => parseFilter(text)).toThrow('scim_invalid_filter');
    }
  });

  it('looks at each token a bounded number of times, whatever the filter', () => {
    const hostile = [
      '('.repeat(2_000),
      'not ('.repeat(400),
      'a['.repeat(1_000),
      `a eq "${'\\"'.repeat(1_000)}`,
      Array.from({ length: 250 }, () => 'a eq 1').join(' or '),
      `a eq ${'9'.repeat(2_000)}`,
      'a'.repeat(2_048),
      '"'.repeat(2_047),
      ' '.repeat(2_048),
    ];
    // Twenty rounds within the time that one expression with backtracking would need.
    for (let round = 0; round < 20; round += 1) {
      for (const text of hostile) {
        const refuses = (): unknown => parseFilter(text);
        if (text.startsWith('a eq 9')) expect(refuses()).toBeDefined();
        else expect(refuses).toThrow('scim_invalid_filter');
      }
    }
  });
});
