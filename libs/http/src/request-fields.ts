import { Transform } from 'class-transformer';

/** The value as it was sent: nested JSON is data, not a class to be made. */
export const AsSent = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);
