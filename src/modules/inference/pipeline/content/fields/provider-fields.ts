import { JSON_TEXT, objectWith, unscanned } from './field-readers.js';

/** No provider gets the preferences themselves. */
const PREFERENCE = unscanned(() => true);

/** The preferences of a request whose providers get options: these are scanned as what they are sent as. */
export const OPTIONED_PREFERENCES = objectWith({ get: (name) => (name === 'options' ? JSON_TEXT : PREFERENCE) });
