import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { ROLES, type Role } from '#libs/tenancy';
import { IfPresent } from '#libs/http';

/** A change to a member. */
export class UpdateMemberDto {
  /** New role; not above the caller's own. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;
}

/** How a member is removed. */
export class RemoveMemberQuery {
  /** Account of the member who takes over the datasets of the removed member. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  transfer_to?: string;
}

/** A member of a tenant. */
export class Member {
  /** Identifier of the account. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** E-mail address of the account. */
  @ApiProperty({ type: String })
  email!: string;

  /** Name of the account. */
  @ApiProperty({ type: String })
  name!: string;

  /** Role of the member in the tenant. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Time when the account joined the tenant. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;
}

/** A page of members. */
export class MemberPage {
  /** The members of this page. */
  @ApiProperty({ type: [Member] })
  items!: Member[];

  /** Total number of members. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
