import { CatalogueError } from '#libs/common';
import type { BatchUploadItem } from './dto/batch-upload.dto.js';
import type { DocumentDetail } from './dto/document.dto.js';

/** What became of one file of several: its document, or why there is none. An error that is no refusal is thrown on. */
export async function toUploadItem(
  index: number,
  name: string,
  take: () => Promise<DocumentDetail>,
): Promise<BatchUploadItem> {
  try {
    return { index, file_name: name, document: await take(), error: null };
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.status >= 500) throw error;
    const { status, code, message: detail } = error;
    return { index, file_name: name, document: null, error: { status, code, detail } };
  }
}
