// The characters of JSON that say where its values begin and end, as bytes or code units.

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/** By byte: 1 for these. */
export const MEANS_SOMETHING = new Uint8Array(256);
for (const code of [QUOTE, BACKSLASH, COMMA, COLON, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE]) {
  MEANS_SOMETHING[code] = 1;
}
