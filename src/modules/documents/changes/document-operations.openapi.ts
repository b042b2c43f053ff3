import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, getSchemaPath } from '@nestjs/swagger';

/** Which states each operation starts from and where it leads, for the descriptions. */
const STATES = `| Operation | From | To |
|---|---|---|
| cancel | \`pending\`, \`processing\` | \`cancelled\`; \`completed\` when an earlier generation is searchable |
| retry | \`failed\` | \`pending\` |
| reingest | \`completed\` | \`pending\` |
| quarantine | \`pending\`, \`processing\`, \`completed\`, \`failed\` | \`quarantined\` |
| release | \`quarantined\` | \`pending\` |
| delete | any | gone |

Any other status: \`documents.illegal_state\`; its \`detail\` names the present status and the operations that it allows.`;

/** The description of a route that moves documents from one state to another. */
export function DescribeMove(operationId: string, summary: string, description: string): MethodDecorator {
  return ApiOperation({ operationId, summary, description: `${description}\n\n${STATES}` });
}

/** A body that has one of several forms; an example for each. */
export function OneOfBodies(
  forms: readonly Type[],
  examples: Readonly<Record<string, { summary: string; value: object }>>,
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(...forms),
    ApiBody({ schema: { oneOf: forms.map((form) => ({ $ref: getSchemaPath(form) })) }, examples }),
  );
}
