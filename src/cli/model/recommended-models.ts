/** A model that is worth having, as its publisher describes it. */
export interface RecommendedModel {
  /** As the hub calls it: what `install` takes. */
  readonly source: string;
  /** Of what is downloaded, some megabytes: the quantized network and its tokenizer. */
  readonly megabytes: number;
  readonly licence: string;
  /** Tokens of a text that it reads. */
  readonly tokens: number;
  /** Primary tags of the languages that it was trained for; `many`: some hundred. */
  readonly languages: readonly string[] | 'many';
  /** What it is good for, in a few words. */
  readonly note: string;
}

/** Languages of paraphrase-multilingual-MiniLM-L12-v2. */
const FIFTY =
  'ar bg ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id it ja ka ko ku lt lv mk mn mr ms my nb nl pl pt ro ru sk sl sq sr sv th tr uk ur vi zh';

/** The best first. All have a quantized ONNX network beside their tokenizer, and a licence that lets it be used for anything. */
export const RECOMMENDED: readonly RecommendedModel[] = [
  {
    source: 'Xenova/bge-small-en-v1.5',
    megabytes: 35,
    licence: 'MIT',
    tokens: 512,
    languages: ['en'],
    note: 'English alone, small',
  },
  {
    source: 'Xenova/all-MiniLM-L6-v2',
    megabytes: 24,
    licence: 'Apache-2.0',
    tokens: 256,
    languages: ['en'],
    note: 'English alone, the smallest and fastest',
  },
  {
    source: 'Xenova/multilingual-e5-small',
    megabytes: 135,
    licence: 'MIT',
    tokens: 512,
    languages: 'many',
    note: 'some hundred languages, and questions in another one than the documents',
  },
  {
    source: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2',
    megabytes: 135,
    licence: 'Apache-2.0',
    tokens: 128,
    languages: FIFTY.split(' '),
    note: 'fifty languages, short texts',
  },
  {
    source: 'Xenova/multilingual-e5-base',
    megabytes: 295,
    licence: 'MIT',
    tokens: 512,
    languages: 'many',
    note: 'some hundred languages, better and three times as slow',
  },
];

/** The models that know all these languages (primary tags), the best first; those for many where none are named. */
export function recommendFor(languages: readonly string[]): readonly RecommendedModel[] {
  const known = (model: RecommendedModel): boolean =>
    model.languages === 'many' ||
    (languages.length > 0 && languages.every((language) => model.languages.includes(language)));
  return RECOMMENDED.filter(known);
}
