import { IssueKind } from '../../http/errors/issue-kind.js';

/** A mask would be stored in place of a credential. */
export const MASKED_CREDENTIAL = new IssueKind('masked_credential', 'is a mask that does not match the stored value');
