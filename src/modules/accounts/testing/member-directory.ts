import type { UnitOfWork } from '#libs/database';
import { MemberDirectory } from '../members/member-directory.service.js';
import { MembersRepository } from '../record/members.repository.js';

/** The member directory over a database. */
export function createMemberDirectory(unitOfWork: UnitOfWork): MemberDirectory {
  return new MemberDirectory(new MembersRepository(unitOfWork));
}
