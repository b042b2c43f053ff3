import { ROLES, type Role } from '#libs/tenancy';
import { Answer, Choice, PageOf, Uuid } from '#libs/http';

/** A change to a member. */
export class UpdateMemberDto {
  /** New role; not above the caller's own. */
  @Choice(ROLES)
  role!: Role;
}

/** Options of the removal of a member. */
export class RemoveMemberQuery {
  /** Account of the member who takes over the datasets of the removed member. */
  @Uuid({ optional: true })
  transfer_to?: string;
}

/** A member of a tenant. */
export class Member {
  /** Identifier of the account. */
  @Answer.Uuid()
  account_id!: string;

  /** E-mail address of the account. */
  @Answer.Text()
  email!: string;

  /** Name of the account. */
  @Answer.Text()
  name!: string;

  /** Role of the member in the tenant. */
  @Answer.Choice(ROLES)
  role!: Role;

  /** Time when the account joined the tenant. */
  @Answer.Instant()
  created_at!: string;
}

/** A page of members. */
export class MemberPage extends PageOf(Member, {
  items: 'The members of this page.',
  total: 'Total number of members.',
  least: null,
}) {}
