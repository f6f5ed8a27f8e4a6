/** Files that cannot be read, or say what cannot be; the message has a line for each place that is wrong: `FILE:LINE: path message`. */
export class WrongFiles extends Error {}
