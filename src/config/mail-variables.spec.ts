import { readEnvironment } from './environment.js';

const EMAIL = {
  SMTP_URL: 'smtp://user:canary-4711@mail.example.com:587',
  SMTP_FROM: 'Gatehouse <alerts@example.com>',
  PUBLIC_URL: 'https://gatehouse.example.com/',
};

/** The issues of a configuration, in one text. */
function issuesOf(variables: Readonly<Record<string, string>>): string {
  try {
    readEnvironment(variables);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the variables of e-mail', () => {
  it('are the server, the sender, and where links lead', () => {
    const { smtpUrl, smtpFrom, publicUrl } = readEnvironment(EMAIL);
    expect({ smtpUrl, smtpFrom, publicUrl }).toEqual({
      smtpUrl: EMAIL.SMTP_URL,
      smtpFrom: EMAIL.SMTP_FROM,
      publicUrl: 'https://gatehouse.example.com',
    });
    expect(readEnvironment({ ...EMAIL, SMTP_FROM: 'alerts@example.com' }).smtpFrom).toBe('alerts@example.com');
    expect(readEnvironment({}).smtpUrl).toBeUndefined();
  });

  it.each(['SMTP_FROM', 'PUBLIC_URL'])('are refused without %s, without a word of the password', (name) => {
    const issues = issuesOf({ ...EMAIL, [name]: '' });
    expect(issues).toContain('SMTP_URL needs SMTP_FROM, the sender, and PUBLIC_URL, for the links in mails');
    expect(issues).not.toContain('canary-4711');
  });

  it.each([
    { SMTP_URL: 'https://mail.example.com' },
    { SMTP_URL: 'mail.example.com:587' },
    { SMTP_FROM: 'alerts' },
    { SMTP_FROM: 'a@example.com\r\nBcc: b@example.com' },
    { SMTP_FROM: 'One <a@example.com>, Two <b@example.com>' },
    { PUBLIC_URL: 'gatehouse.example.com' },
    { PUBLIC_URL: 'https://user:password@gatehouse.example.com' },
    { PUBLIC_URL: 'https://gatehouse.example.com/?x=1' },
    { PUBLIC_URL: 'ftp://gatehouse.example.com' },
  ])('are refused as %j', (changed) => {
    const [name] = Object.keys(changed);
    expect(issuesOf({ ...EMAIL, ...changed })).toContain(`- ${name} must`);
  });
});
