import { ApiClient } from '../api-client.js';
import { newSigningKey, OidcIssuer } from '../oidc-issuer.js';
import type { RunningService } from '../service-process.js';

const AUDIENCE = 'https://kb.example.com/api';
const TENANT_CLAIM = 'kb_tenant';

/** Settings of a service that lets people in whom an issuer at this port names. */
export const staffSettings = (port: number): Readonly<Record<string, string>> => ({
  AUTH_OIDC_ISSUER: `http://127.0.0.1:${port}`,
  AUTH_OIDC_AUDIENCE: AUDIENCE,
  AUTH_OIDC_TENANT_CLAIM: TENANT_CLAIM,
});

/** Members of these names: by an issuer, because the interface lets no one choose the name of an account. */
export async function joinStaff(
  service: RunningService,
  port: number,
  tenantId: string,
  names: readonly string[],
): Promise<void> {
  const claimsOf = (name: string, index: number): Readonly<Record<string, unknown>> => ({
    name,
    email: `person-${index + 1}@example.com`,
    email_verified: true,
    [TENANT_CLAIM]: tenantId,
  });
  const subjects = Object.fromEntries(names.map((name, index) => [`person-${index + 1}`, claimsOf(name, index)]));
  const issuer = await OidcIssuer.start({ port, keys: [await newSigningKey('first')], subjects });
  try {
    for (const subject of Object.keys(subjects)) {
      const token = await issuer.tokenFor(subject, AUDIENCE);
      await new ApiClient(service.process.url, { Authorization: `Bearer ${token}` }).get('/auth/me');
    }
  } finally {
    await issuer.stop();
  }
}
