import { ConversionNeeded } from '../conversion/conversion-needed.js';
import { DOC, PPT } from '../media-type/office-types.js';
import type { FormatParser } from './format-parser.js';

/** DOC: only LibreOffice reads it. */
export const parseLegacyDocument: FormatParser = () =>
  Promise.reject(new ConversionNeeded({ mediaType: DOC, from: 'doc', to: 'docx' }));

/** PPT: only LibreOffice reads it. */
export const parseLegacyPresentation: FormatParser = () =>
  Promise.reject(new ConversionNeeded({ mediaType: PPT, from: 'ppt', to: 'pptx' }));
