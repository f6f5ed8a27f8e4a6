/** The address that the service should listen on is not to be had; the message says why. */
export class CannotListen extends Error {
  /** @returns what listening threw, explained where it is known to be the address's fault */
  static because(error: unknown, host: string, port: number): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const explanation = EXPLANATIONS[String(code)]?.(host, port);
    return explanation === undefined ? error : new CannotListen(explanation, { cause: error });
  }
}

const EXPLANATIONS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken by another process. Stop that one, or set PORT to a port that is free.`,
  EACCES: (host, port) => `This user may not listen on port ${port} of ${host}. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is not the name of any machine.`,
};
