import type { InvitationPreview, OwnInvitation, TenantInvitation } from './invitation.dto.js';
import type { InvitationRow, OwnInvitationRow, PreviewRow } from './invitations.repository.js';

/** An invitation for administrators of the tenant. */
export function toTenantInvitation(row: InvitationRow): TenantInvitation {
  return {
    invitation_id: row.id,
    email: row.email,
    role: row.role,
    status: row.expires_at.getTime() > Date.now() ? 'invited' : 'expired',
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** An invitation for the invited account. */
export function toOwnInvitation(row: OwnInvitationRow): OwnInvitation {
  return {
    invitation_id: row.id,
    tenant_id: row.tenant_id,
    tenant_name: row.tenant_name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** The preview of an invitation. */
export function toInvitationPreview(row: PreviewRow): InvitationPreview {
  return {
    tenant_name: row.tenant_name,
    inviter_name: row.inviter_name,
    email: row.email,
    role: row.role,
    expires_at: row.expires_at.toISOString(),
  };
}
