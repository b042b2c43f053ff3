import { CatalogueError } from '#libs/common';
import type { IntakeOutcome } from './document-intake.service.js';
import type { BatchUploadItem } from './batch-upload.dto.js';

/** What became of one file of several: its document, or why there is none. */
export function toUploadItem(index: number, name: string, outcome: IntakeOutcome): BatchUploadItem {
  if (!(outcome instanceof CatalogueError)) return { index, file_name: name, document: outcome.document, error: null };
  const { status, code, message: detail } = outcome;
  return { index, file_name: name, document: null, error: { status, code, detail } };
}
