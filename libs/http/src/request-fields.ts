import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';

/** May be left out, but not be null: what is described as a number is never null. `IsOptional` is for fields that may be null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_object, value: unknown) => value !== undefined);

/** The value as it was sent: nested JSON is data, not a class to be made. */
export const AsSent = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);
