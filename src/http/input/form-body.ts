import type { DtoClass } from '../validation/dto-fields.js';
import { type QueryReading, readQuery } from './query-reader.js';

const FORM_BODY_METADATA = 'gatehouse:form-body';

/** The media type of a form. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Says that a class is the body of an operation whose clients send a form, as OAuth has it (RFC 6749, appendix B). What the class does not
 * declare is ignored, and a field that is empty counts as absent (RFC 6749, section 3.2).
 */
export function FormBody(): ClassDecorator {
  return (type) => Reflect.defineMetadata(FORM_BODY_METADATA, true, type);
}

/** Whether a class is the body of an operation whose clients send a form. */
export function isFormBody(type: DtoClass): boolean {
  return Reflect.getMetadata(FORM_BODY_METADATA, type) === true;
}

/** Decodes the text of a form. A field that is there twice, or is not percent-encoded UTF-8, is an issue. */
export function parseForm(text: string, type: DtoClass): QueryReading {
  const { values, issues } = readQuery(text, type);
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return { values: Object.fromEntries(given), issues };
}
