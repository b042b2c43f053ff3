import { describe, expect, it } from 'vitest';
import { isPlain } from './plain-words.js';

describe('a sentence of the service', () => {
  it('is shown as it is where it says what to do', () => {
    for (const sentence of [
      'The file has no content (0 bytes).',
      'The file is named .docx but its content is plain text; rename it to .txt or upload the real .docx file.',
      'The file is protected by a password; remove the password and upload it again.',
      'Pages 3-4 could not be read and were left out.',
      'The PDF has 12 pages that are pictures without text, and this installation has no OCR.',
      'The file is larger than 200 MB/file, and/or of another kind.',
    ])
      expect(isPlain(sentence), sentence).toBe(true);
  });

  it('is for support where it has words of programmers', () => {
    for (const sentence of [
      'When this document was uploaded, the dataset had another document with this name: 0190a5b2-1c2d-7abc-8def-000000000000. Searches find both.',
      'Upload with on_same_name=new_revision to replace the earlier one instead, or delete one of them.',
      'MALFORMED: the file is damaged.',
      'Files of type application/octet-stream cannot be read; supported are text/plain.',
      '3 chunks are longer than the 512 tokens that the embedding model reads.',
      'TYPE_MISMATCH: rename it.',
      'The file is named .pdf but its content is binary data; upload it under the extension of its real format.',
      '4 cells that a reader does not see (0 hidden rows) are in the text; `parsing.hidden: exclude` leaves them out.',
      'It is completed; allowed are delete and reingest.',
    ])
      expect(isPlain(sentence), sentence).toBe(false);
  });
});
