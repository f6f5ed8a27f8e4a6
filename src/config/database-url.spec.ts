import { ConfigurationError } from './variable-reader.js';
import { readEnvironment } from './environment.js';

describe.each(['DATABASE_URL', 'MIGRATION_DATABASE_URL'])('%s', (name) => {
  const issuesOf = (url: string): readonly string[] => {
    try {
      readEnvironment({ DATABASE_URL: 'postgres://one/gatehouse', ENCRYPTION_KEY: '11'.repeat(32), [name]: url });
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.issues;
      throw error;
    }
  };

  it.each([
    'postgres://gatehouse:secret@one.example:5432/gatehouse',
    'postgresql://one/gatehouse?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=one',
    'postgres://gatehouse:a,b@one/gatehouse',
    'postgres://one/gatehouse,two',
    'postgres:///gatehouse?host=/var/run/postgresql',
    'postgres://one/gatehouse?options=-c%20search_path%3Da%2Cb',
  ])('is accepted: %s', (url) => {
    expect(issuesOf(url)).toEqual([]);
  });

  it.each([
    'postgres://one,two/gatehouse',
    'postgres://gatehouse:secret@one:5432,two:5433/gatehouse',
    'postgres:///gatehouse?host=one,two',
    'postgres://one/gatehouse?port=5432,5433',
  ])('is rejected with advice when it names several hosts: %s', (url) => {
    const [issue, ...others] = issuesOf(url);
    expect(issue).toMatch(new RegExp(`^${name} names several hosts, of which only one can be used: give one address`));
    expect(issue).not.toContain('secret');
    expect(others).toEqual([]);
  });

  it('is rejected with advice when it has target_session_attrs', () => {
    expect(issuesOf('postgres://one/gatehouse?target_session_attrs=read-write')).toEqual([
      expect.stringMatching(
        new RegExp(`^${name} has target_session_attrs, which has no effect: leave it out, and give one address`),
      ),
    ]);
  });

  it.each(['connect_timeout', 'channel_binding', 'keepalives', 'gssencmode', 'load_balance_hosts', 'pgbouncer'])(
    'is rejected with a parameter that has no effect: %s',
    (parameter) => {
      expect(issuesOf(`postgres://one/gatehouse?${parameter}=1`)).toEqual([
        expect.stringContaining(`${name} has the parameter "${parameter}", which has no effect: leave it out.`),
      ]);
    },
  );
});
