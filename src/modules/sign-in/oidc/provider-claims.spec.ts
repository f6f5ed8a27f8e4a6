import type { IDToken } from 'openid-client';
import { groupsOf, isEmailUnverified, roleOf, textClaim } from './provider-claims.js';

const claims = (further: object): IDToken => ({ iss: 'i', sub: 's', aud: 'a', iat: 0, exp: 0, ...further });

const NESTED = {
  realm_access: { roles: ['admins'] },
  resource_access: { 'my.client': { roles: ['staff'] }, my: { client: {} } },
  'https://example.com/roles': ['literal'],
  'a.b': 'whole name',
  a: { b: 'path' },
};

describe('roleOf', () => {
  it.each([
    ['realm_access.roles', 'admins', 'admin'],
    ['realm_access.roles', 'others', 'member'],
    ['resource_access.my.client.roles', 'staff', 'admin'],
    ['https://example.com/roles', 'literal', 'admin'],
    ['a.b', 'whole name', 'admin'],
    ['a.b', 'path', 'member'],
    ['realm_access.groups', 'admins', undefined],
    ['realm_access.roles.0', 'admins', undefined],
    ['realm_access.constructor.name', 'Object', undefined],
    ['.roles', 'admins', undefined],
    ['realm_access..roles', 'admins', undefined],
  ])('reads the claim %s for %s as %s', (claim, value, role) => {
    expect(roleOf(claims(NESTED), claim, [value])).toBe(role);
  });

  it.each([
    [{}, undefined],
    [{ groups: null }, undefined],
    [{ _claim_names: { groups: 'src1' } }, undefined],
    [{ groups: [] }, 'member'],
    [{ groups: '' }, 'member'],
    [{ groups: [1, null, {}, ['adm']] }, 'member'],
    [{ groups: 'adm' }, 'admin'],
  ])('reads %j as %s', (further, role) => {
    expect(roleOf(claims(further), 'groups', ['adm'])).toBe(role);
  });
});

describe('groupsOf', () => {
  it.each([
    ['realm_access.roles', ['admins']],
    ['resource_access.my.client.roles', ['staff']],
    ['https://example.com/roles', ['literal']],
    ['groups', []],
  ])('reads the claim %s as %j', (claim, groups) => {
    expect(groupsOf(claims(NESTED), claim)).toEqual(groups);
  });

  it('says nothing of a claim that is left out because it is too long, by its name or that of the one around it', () => {
    const elsewhere = claims({ _claim_names: { realm_access: 'src1' } });

    expect(groupsOf(elsewhere, 'realm_access.roles')).toBeUndefined();
    expect(groupsOf(elsewhere, 'roles')).toEqual([]);
  });
});

describe('textClaim', () => {
  it('reads a text by its path', () => {
    expect(textClaim(claims({ identity: { oid: 'x' } }), 'identity.oid')).toBe('x');
  });
});

describe('isEmailUnverified', () => {
  it.each([
    [{}, false],
    [{ email_verified: null }, false],
    [{ email_verified: true }, false],
    [{ email_verified: 'true' }, false],
    [{ email_verified: 'True' }, false],
    [{ email_verified: false }, true],
    [{ email_verified: 'false' }, true],
    [{ email_verified: 0 }, true],
    [{ email_verified: '' }, true],
  ])('judges %j as %s', (further, isUnverified) => {
    expect(isEmailUnverified(claims(further))).toBe(isUnverified);
  });
});
