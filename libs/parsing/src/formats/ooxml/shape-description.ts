import { alternativeText } from '../../output/alternative-text.js';
import type { XmlAttributes } from '../../xml/xml-reader.js';
import { isOn } from '../docx/run-text.js';

/** Properties of a picture, a shape or a chart, which hold what its author says that it shows. */
const PROPERTIES = /(?:^|:)(?:cNvPr|docPr)$/;

/** Reads the alternative texts of drawings in any part of Office Open XML. Decorative and hidden drawings have none. */
export class ShapeDescription {
  private words = '';

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'adec:decorative' && isOn(attributes['val'])) this.words = '';
    if (!PROPERTIES.test(name)) return;
    const isHidden = attributes['hidden'] !== undefined && isOn(attributes['hidden']);
    this.words = isHidden ? '' : alternativeText(attributes['descr'], attributes['title']);
  }

  /** The alternative text when the properties of a shape end here, else an empty one. */
  close(name: string): string {
    if (!PROPERTIES.test(name)) return '';
    const { words } = this;
    this.words = '';
    return words;
  }
}
