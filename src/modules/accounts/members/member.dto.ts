import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { ROLES, type Role } from '#libs/tenancy';
import { IfPresent } from '#libs/http';

/** A change to a member. */
export class UpdateMemberDto {
  /** New role, none above the caller's own. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;
}

/** How a member is removed. */
export class RemoveMemberQuery {
  /** Member who takes over the datasets of the one who is removed. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  transfer_to?: string;
}

/** A member of a tenant. */
export class Member {
  /** The account. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** Its e-mail address. */
  @ApiProperty({ type: String })
  email!: string;

  /** Its name. */
  @ApiProperty({ type: String })
  name!: string;

  /** Its role in the tenant. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Since when it belongs to the tenant. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;
}

/** A page of members. */
export class MemberPage {
  /** The members of this page. */
  @ApiProperty({ type: [Member] })
  items!: Member[];

  /** How many there are in all. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
