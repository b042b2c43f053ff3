import { describe, expect, it } from 'vitest';
import { authErrors } from './tenancy.errors.js';

describe('a refusal for a missing permission', () => {
  const refusal = (permission: 'kg:run' | 'platform:tenants', kind: 'account' | 'api_key'): string =>
    authErrors.permission_missing({ permission, kind }).message;

  it('sends an account to who can give the permission', () => {
    expect(refusal('kg:run', 'account')).toContain('Ask an administrator of the tenant');
    expect(refusal('platform:tenants', 'account')).not.toContain('administrator of the tenant');
    expect(refusal('platform:tenants', 'account')).toContain('operator');
  });

  it('says of a key which scope it lacks, or that none has the permission', () => {
    expect(refusal('kg:run', 'api_key')).toContain('the scope kg:run');
    expect(refusal('platform:tenants', 'api_key')).toContain('no API key');
  });
});
