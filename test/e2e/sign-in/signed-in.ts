import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { Browser } from './browser.js';

/** A member of an organization. */
export interface SignedInMember {
  readonly organizationId: string;
  readonly userId: string;
}

/** A browser in which a member is signed in, by a link. */
export async function signedInBrowser(app: TestApplication, member: SignedInMember): Promise<Browser> {
  const browser = new Browser();
  const links = app.application.get(SignInLinksService);
  const path = await links.create(COMMAND_LINE, member.organizationId, member.userId);
  const { status } = await browser.send(app.origin + path, { method: 'POST', form: {} });
  expect(status).toBe(303);
  return browser;
}

/** Lets a member have proved longer ago, in all of their sessions, who they are. @param minutes how long ago */
export async function signedInMinutesAgo(app: TestApplication, member: SignedInMember, minutes: number): Promise<void> {
  await app.rows(
    `UPDATE sessions SET authenticated_at = now() - $3 * interval '1 minute' WHERE organization_id = $1 AND user_id = $2`,
    [member.organizationId, member.userId, minutes],
  );
}
