import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** What is told of a statement, in OpenTelemetry's conventions for databases: its name, never its values. */
export function statementAttributes(name: string): Attributes {
  return { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL, [ATTR_DB_QUERY_SUMMARY]: name };
}

/** What is told of a statement that failed: PostgreSQL's code, or the kind of error; its message may quote values. */
export function failureAttributes(failure: unknown): Attributes {
  if (!(failure instanceof Error)) return { [ATTR_ERROR_TYPE]: 'unknown' };
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
  return { [ATTR_ERROR_TYPE]: code, ...(SQLSTATE.test(code) && { [ATTR_DB_RESPONSE_STATUS_CODE]: code }) };
}
