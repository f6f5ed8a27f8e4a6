/** The client has closed its connection before its request was worked on: nothing was done, and there is no one to answer. */
export class ClientGoneError extends Error {}
