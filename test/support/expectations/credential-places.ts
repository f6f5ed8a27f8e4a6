const CREDENTIAL = /(?:mk|sk|cs|pv|ac|ss|sl|sa)-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}/;

/** The places of a body at which a credential of Gatehouse's stands in full, as in `data.id`. */
export function credentialPlaces(value: unknown, place = ''): string[] {
  if (typeof value === 'string') return CREDENTIAL.test(value) ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    ...(CREDENTIAL.test(name) ? [`${place}{${name}}`] : []),
    ...credentialPlaces(child, place === '' ? name : `${place}.${name}`),
  ]);
}
