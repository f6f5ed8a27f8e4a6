/** A UUID of version 7, as the application makes them (RFC 9562, section 5.7). */
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** ISO 8601, UTC, with milliseconds (docs/interface/conventions.md#times). */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** The UUID of no object. */
export const UNKNOWN_UUID = '019aa3f0-5b1e-7c40-9d0e-000000000000';
