import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { DescribeFurtherBodies } from '#libs/http';

const CSV = { type: 'string', minLength: 1, description: 'As the field `csv` of the JSON body; UTF-8.' } as const;
const NAME = { name: 'name', required: false, schema: { type: 'string' } } as const;

/** CSV as the whole body of a new case set. The parameters have no effect with a body of JSON, so their schemas refuse nothing. */
export const TakesCsvCaseSet = (): MethodDecorator =>
  applyDecorators(
    DescribeFurtherBodies({ 'text/csv': CSV }),
    ApiQuery({
      ...NAME,
      description: 'As `name` of the JSON body; required with a body of `text/csv`, otherwise ignored.',
    }),
    ApiQuery({
      name: 'dataset_ids',
      required: false,
      description:
        'As `dataset_ids` of the JSON body, separated by commas or given more than once; required with a body of `text/csv`, otherwise ignored.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string' } },
    }),
  );

/** CSV as the cases of a new version. */
export const TakesCsvCases = (): MethodDecorator =>
  applyDecorators(
    DescribeFurtherBodies({ 'text/csv': CSV }),
    ApiQuery({ ...NAME, description: 'As `name` of the JSON body; only with a body of `text/csv`.' }),
  );
