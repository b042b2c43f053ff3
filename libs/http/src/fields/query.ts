import { Transform } from 'class-transformer';

/** A whole number of a query, written in digits: `skip=`, `skip=1e1` and `skip=0x1` are none, and `@IsInt()` refuses them. */
export const QueryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** `true` or `false` as a query writes them; what else there is `@IsBoolean()` refuses. */
export const QueryFlag = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    obj[key] === 'true' ? true : obj[key] === 'false' ? false : obj[key],
  );

/** Values of a query, which may be given more than once: one alone is a list of one. */
export const QueryList = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    typeof obj[key] === 'string' ? [obj[key]] : obj[key],
  );
