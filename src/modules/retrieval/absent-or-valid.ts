import { ValidateIf } from 'class-validator';

/** A field that may be left out but, unlike with `IsOptional`, not be null: what is documented as a number is never null. */
export const AbsentOrValid = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);
