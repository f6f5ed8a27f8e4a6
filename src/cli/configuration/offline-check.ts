import { readEnvironment } from '../../config/environment.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import { readFiles } from '../../modules/configuration/document/configuration-document.js';
import { ConfiguredKinds } from '../../modules/configuration/kinds/configured-kinds.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';

/** What is wrong with files, as far as it can be said without a database. The application that knows their kinds connects to none. */
export async function issuesOf(
  files: readonly { readonly name: string; readonly documents: readonly unknown[] }[],
): Promise<readonly IssueWithReason[]> {
  // With the command that needs it: help comes sooner without it.
  const { createApplication } = await import('../../app.setup.js');
  const application = await createApplication({
    environment: readEnvironment({}),
    databaseUrl: 'postgres://localhost/nothing',
    logger: new ServiceLogger('silent'),
    connects: false,
  });
  return (await readFiles(application.get(ConfiguredKinds), files)).issues;
}
