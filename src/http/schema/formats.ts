import formatsPlugin from 'ajv-formats';

// ajv-formats is CommonJS: what Node imports as its default is the module, whose `default` is the same function.
const known = formatsPlugin as unknown as typeof formatsPlugin.default;

/** RFC 9562, section 4: in capitals or not, and without the prefix `urn:uuid:`, which PostgreSQL does not read. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** RFC 3339, section 5.6. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The longest name of a host, in characters (RFC 1035, section 2.3.4). */
const MAXIMUM_HOST_LENGTH = 253;

const isCalendarTime = known.get('date-time') as { validate: (text: string) => boolean };
const isUri = known.get('uri') as (text: string) => boolean;

/** What the formats of the interface take. Whatever passes here, the rest of the service can read and store. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  // A leap second is well-formed, but no time that a Date or PostgreSQL has.
  'date-time': (text) => DATE_TIME.test(text) && isCalendarTime.validate(text) && hasFourDigitYear(new Date(text)),
  uri: (text) => isUri(text) && URL.canParse(text) && new URL(text).hostname.length <= MAXIMUM_HOST_LENGTH,
};

/** Whether a time can be answered in UTC: an offset can take it out of the years 0000 to 9999, which RFC 3339 ends with. */
function hasFourDigitYear(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999;
}
