import { toNormalForm } from '#libs/common';
import { buildMessage, ValidateBy } from 'class-validator';
import { MAX_NAME_LENGTH } from './document-facts.js';

/** Control characters and characters that change the writing direction. */
const FORBIDDEN = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** A name in its stored form: Unicode form NFC, trimmed. */
export function normaliseDocumentName(name: string): string {
  return toNormalForm(name, 'NFC').trim();
}

/** Whether a text can be a document's name: 1 to 255 characters after trimming, something visible among them. */
export function isDocumentName(value: unknown): boolean {
  if (typeof value !== 'string' || FORBIDDEN.test(value) || !VISIBLE.test(value)) return false;
  return normaliseDocumentName(value).length <= MAX_NAME_LENGTH;
}

/** Validates that a property can be a document's name (`isDocumentName`). */
export function IsDocumentName(): PropertyDecorator {
  return ValidateBy({
    name: 'isDocumentName',
    validator: {
      validate: isDocumentName,
      defaultMessage: buildMessage(
        (each) => `${each}$property must be a text of 1 to ${MAX_NAME_LENGTH} characters without control characters`,
      ),
    },
  });
}
