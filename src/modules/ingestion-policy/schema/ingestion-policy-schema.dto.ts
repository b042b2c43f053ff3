import { ApiSchema } from '@nestjs/swagger';
import { POLICY_COMPONENT_NAME } from './policy.openapi.js';

/** Names the policy in the description, where its JSON Schema takes the place of this class (`src/description/openapi.ts`). */
@ApiSchema({ name: POLICY_COMPONENT_NAME })
export class IngestionPolicySchema {}
