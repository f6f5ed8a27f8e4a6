/** The host of a URL, with an address of IPv6 as connections and look-ups have it: without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
