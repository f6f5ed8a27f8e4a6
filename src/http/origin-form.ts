const SCHEME_AND_AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The target of a request in origin-form (RFC 9112, section 3.2.1). A proxy may send the absolute form, of which Express
 * cannot read every one, and what it cannot read it answers by itself, in HTML.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
