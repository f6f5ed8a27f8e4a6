/** The address that the service should listen on is not to be had; the message says why. */
export class CannotListen extends Error {
  /**
   * @param variables the prefix of the variables that the address stands in, HOST and PORT
   * @returns what listening threw, explained where it is known to be the address's fault
   */
  static because(error: unknown, host: string, port: number, variables = ''): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const explanation = EXPLANATIONS[String(code)]?.(host, port, variables);
    return explanation === undefined ? error : new CannotListen(explanation, { cause: error });
  }
}

const EXPLANATIONS: Readonly<Record<string, (host: string, port: number, variables: string) => string>> = {
  EADDRINUSE: (host, port, variables) =>
    `Port ${port} of ${host} is taken by another process. Stop that one, or set ${variables}PORT to a port that is free.`,
  EACCES: (host, port, variables) =>
    `This user may not listen on port ${port} of ${host}. Set ${variables}PORT to one above 1023.`,
  EADDRNOTAVAIL: (host, _port, variables) => `${variables}HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host, _port, variables) => `${variables}HOST ${host} is not the name of any machine.`,
};
