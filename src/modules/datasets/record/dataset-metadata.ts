import { buildMessage, ValidateBy } from 'class-validator';

/** Maximum size of a dataset's metadata as JSON in UTF-8, in bytes. */
export const MAX_METADATA_BYTES = 64 * 1024;

/** Whether a value is a JSON object of at most `MAX_METADATA_BYTES`. */
export function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;
}

/** Validates that a property is metadata (`isMetadata`). */
export function IsMetadata(): PropertyDecorator {
  return ValidateBy({
    name: 'isMetadata',
    validator: {
      validate: isMetadata,
      defaultMessage: buildMessage(
        (each) => `${each}$property must be a JSON object of at most ${MAX_METADATA_BYTES} bytes`,
      ),
    },
  });
}
