/** An object of a document that another party wrote. */
export type JsonObject = Readonly<Record<string, unknown>>;
