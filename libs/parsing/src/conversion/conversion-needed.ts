import { ParseError } from '../parse-error.js';

/** What an old file has to be turned into before it can be read. */
export interface Conversion {
  /** Type and usual extension of the file as it came. */
  mediaType: string;
  from: 'doc' | 'ppt';
  to: 'docx' | 'pptx';
}

/**
 * Thrown by the parser of a format that only another program can read. The limited child may start no program, so the
 * parent has the file converted and asks again; where it cannot, this is the document's error.
 */
export class ConversionNeeded extends ParseError {
  readonly conversion: Conversion;

  constructor(conversion: Conversion) {
    const { from, to } = conversion;
    super(
      'CONVERTER_MISSING',
      `Old .${from} files are read with LibreOffice, which is not available here. Save the file as .${to} and upload that, ` +
        'or install LibreOffice on the worker and try again.',
    );
    this.conversion = conversion;
  }
}
