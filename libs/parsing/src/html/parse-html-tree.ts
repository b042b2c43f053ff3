import { Parser, type DefaultTreeAdapterTypes, type Token } from 'parse5';
import { hidesByStyle, languageOfClass } from './html-elements.js';

type TreeTypes = DefaultTreeAdapterTypes.DefaultTreeAdapterMap;

/** Elements that the standard opens again in every paragraph after the one that left them open; `a` is never open twice. */
const FORMATTING = new Set('b big code em font i nobr s small strike strong tt u'.split(' '));
/** Most languages of code that one document names. */
const LANGUAGES_MAX = 32;
/** Most looks of formatting elements in one document. */
const LOOKS_MAX = 8;
const TELLS_LOOK = /color|font-size|opacity|visibility|background/i;

/**
 * Reads formatting elements with few of the looks that their attributes give them. Of equal ones the standard keeps three open, of different
 * ones all: a file of `<font color=…><p>`, each with another colour, would become a tree of the square of its size.
 */
class TreeParser extends Parser<TreeTypes> {
  private readonly languages = new Set<string>();
  private readonly looks = new Set<string>();

  override onStartTag(token: Token.TagToken): void {
    if (FORMATTING.has(token.tagName)) {
      const look = this.lookOf(token);
      const kept = token.attrs.flatMap((attribute) => this.kept(attribute));
      const isHidden = kept.some(({ name }) => name === 'style');
      token.attrs = look === '' || isHidden ? kept : [...kept, { name: 'style', value: look }];
    }
    super.onStartTag(token);
  }

  /** Colour and style as one style, as long as the document has few of them. */
  private lookOf({ attrs, tagName }: Token.TagToken): string {
    const colour = tagName === 'font' ? attrs.find(({ name }) => name === 'color')?.value : undefined;
    const style = attrs.find(({ name }) => name === 'style')?.value ?? '';
    const look = [colour === undefined ? '' : `color:${colour}`, TELLS_LOOK.test(style) ? style : ''];
    const text = look.filter(Boolean).join(';');
    if (text !== '' && this.looks.size < LOOKS_MAX) this.looks.add(text);
    return this.looks.has(text) ? text : '';
  }

  /** What decides whether the element is seen, and the language of code; each in few values. */
  private kept({ name, value }: Token.Attribute): Token.Attribute[] {
    if (name === 'hidden') return [{ name, value: value === 'until-found' ? value : '' }];
    if (name === 'style') return hidesByStyle(value) ? [{ name, value: 'display:none' }] : [];
    const language = name === 'class' ? languageOfClass(value) : undefined;
    if (language === undefined) return [];
    if (this.languages.size < LANGUAGES_MAX) this.languages.add(language);
    return this.languages.has(language) ? [{ name, value: `language-${language}` }] : [];
  }
}

/** The tree of an HTML document, whose size grows with the document's and no faster. */
export function parseHtmlTree(html: string): DefaultTreeAdapterTypes.Document {
  return TreeParser.parse<TreeTypes>(html);
}
