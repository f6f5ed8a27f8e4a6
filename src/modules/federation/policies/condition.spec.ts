import { conditionHolds, conditionIssue, type ConditionInput } from './condition.js';

const INPUT: ConditionInput = {
  subject: 'repo:acme/app:ref:refs/heads/main',
  audience: ['https://gateway.example.com', 'other'],
  scopes: ['deploy', 'read'],
  token_type: 'workload',
};

describe('conditionHolds', () => {
  it.each([
    ['subject == "repo:acme/app:ref:refs/heads/main"', true],
    ['subject.startsWith("repo:acme/") && !subject.endsWith("/dev")', true],
    ['subject.startsWith("repo:acme/") && subject.endsWith("/dev")', false],
    ['"deploy" in scopes && size(scopes) == 2', true],
    ['scopes.exists(s, s == "admin")', false],
    ['scopes.all(s, s in ["deploy", "read", "write"])', true],
    ['scopes.filter(s, s.startsWith("de")).size() == 1', true],
    ['token_type == "workload" ? audience[0].contains("gateway") : false', true],
    ['subject.lowerAscii().substring(0, 4) == "repo"', true],
    ['true', true],
  ])('%s is %s', (condition, expected) => {
    expect(conditionIssue(condition)).toBeUndefined();
    expect(conditionHolds(condition, INPUT)).toBe(expected);
  });

  it('is false where the evaluation fails', () => {
    expect(conditionHolds('scopes[7] == "x"', INPUT)).toBe(false);
    expect(conditionHolds('scopes[0] == "deploy"', { ...INPUT, scopes: [] })).toBe(false);
  });

  it('is false for what was never accepted', () => {
    expect(conditionHolds('subject.matches(".*")', INPUT)).toBe(false);
    expect(conditionHolds('subject', INPUT)).toBe(false);
  });
});

describe('conditionIssue', () => {
  it.each([
    ['a regular expression', 'subject.matches("^(a+)+$")', 'must not call matches()'],
    ['a regular expression in a macro', 'scopes.exists(s, s.matches("x"))', 'must not call matches()'],
    [
      'macros within each other',
      'scopes.all(s, scopes.exists(t, s == t))',
      'must not have exists() within another macro',
    ],
    ['macros behind each other', 'scopes.filter(s, true).all(s, true)', 'must not have filter() within another macro'],
    ['a text that grows', 'subject + subject == ""', 'must not have the operator +'],
    ['a list from a text', 'subject.split("").size() > 1', 'must not call split()'],
    ['another macro', 'scopes.map(s, s).size() > 1', 'must not call map()'],
    ['a binding', 'cel.bind(x, subject, x == "a")', 'must not call bind()'],
    ['a map', '{"a": 1}.size() == 1', undefined],
    ['another variable', 'issuer == "x"', undefined],
    ['no boolean', 'subject', 'must be true or false, and is string'],
    ['a number', '1', 'must be true or false, and is int'],
    ['a value of any type', 'dyn(true)', 'must not call dyn()'],
    ['types that do not fit', 'subject == 1', undefined],
    ['no expression', 'subject ==', undefined],
    ['nothing', '', undefined],
    ['a long text', `subject == "${'x'.repeat(2_000)}"`, 'must not be longer than 2000 characters'],
    ['deep nesting', `${'('.repeat(200)}true${')'.repeat(200)}`, undefined],
    ['a long list', `subject in [${'"",'.repeat(70)}""]`, undefined],
  ])('refuses %s', (_, condition, expected) => {
    const issue = conditionIssue(condition);
    if (expected === undefined) expect(issue).toMatch(/^(is not a condition: |must not )./);
    else expect(issue).toBe(expected);
    expect(issue).not.toContain('\n');
  });
});
