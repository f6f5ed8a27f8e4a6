import type { IssueWithReason } from '../../http/errors/issue.js';
import { readFiles } from '../../modules/configuration/document/configuration-document.js';
import { ConfiguredKinds } from '../../modules/configuration/kinds/configured-kinds.js';
import { offlineApplication } from '../offline-application.js';

/** What is wrong with files, as far as it can be said without a database. */
export async function issuesOf(
  files: readonly { readonly name: string; readonly documents: readonly unknown[] }[],
): Promise<readonly IssueWithReason[]> {
  const application = await offlineApplication();
  return (await readFiles(application.get(ConfiguredKinds), files)).issues;
}
