import type { DatasetId, DocumentId } from '#libs/common';
import {
  KeywordScorer,
  queryHashes,
  termsFor,
  TermStatistics,
  type QueryTerms,
  type StatisticsView,
} from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import { PostingScores } from '../postings/posting-scores.js';
import type { QueryVectors } from './query-vectors.js';
import type { Calibrations } from '../scales/calibrated-space.js';
import type { EffectiveOptions } from '../request/search-options.js';

/** The inputs for scoring candidates; null where the channel is not part of the search. */
export interface Scoring {
  readonly keyword: KeywordScorer | null;
  /** Of everything that is searched, as it is when it is read. */
  readonly statistics: StatisticsView;
  /** By dataset the keyword scores of all its chunks, where its postings are kept; empty without `keyword`. */
  readonly posted: ReadonlyMap<DatasetId, PostingScores>;
  /** The question by embedding space; empty where vectors are no part of the search. */
  readonly vectors: QueryVectors;
  /** Whether vectors are needed to compare candidates with each other, whatever the channels. */
  readonly compares: boolean;
  /** The space of each dataset whose model the installation has; chunks of others are not compared by vector. */
  readonly spaces: ReadonlyMap<DatasetId, string>;
  /** How the cosines of each space are read. */
  readonly calibrations: Calibrations;
  /** The language of a document; null where it is not known. */
  readonly languageOf: (datasetId: DatasetId, documentId: DocumentId) => string | null;
  /** The spaces that are searched. */
  readonly known: readonly string[];
  /** The change of each dataset as of which its statistics were read for `keyword`. */
  readonly asOf: readonly bigint[];
}

/** The space in which chunks of a dataset are compared; one that is searched at all where the model of the dataset is gone. */
export function searchedSpace({ spaces, known }: Scoring, datasetId: DatasetId): string {
  return spaces.get(datasetId) ?? known[0] ?? '';
}

/** How far the vectors of each space are trusted for the question. */
export function trustBySpace({ calibrations }: Pick<Scoring, 'calibrations'>): ReadonlyMap<string, number> {
  return new Map([...calibrations].map(([space, { trust }]) => [space, trust]));
}

/** The statistics of everything that is searched, as one. */
export function statisticsOf(contents: readonly DatasetContents[]): StatisticsView {
  return TermStatistics.combine(contents.map(({ statistics }) => statistics));
}

/** The part of a search that decides its scores. */
export interface ScoredSearch {
  readonly options: Pick<EffectiveOptions, 'searchMethod' | 'mmr'>;
  readonly terms: QueryTerms;
  readonly datasets: readonly VisibleDataset[];
}

/** The terms of a question as they are asked for in these contents. */
export function fitTerms(terms: QueryTerms, contents: readonly DatasetContents[]): QueryTerms {
  return termsFor(terms, statisticsOf(contents));
}

/** All of it as of this moment: nothing of `contents` may change in between. */
export function makeScoring(
  { options, terms, datasets }: ScoredSearch,
  contents: readonly DatasetContents[],
  vectors: QueryVectors,
  known: ReadonlySet<string>,
  calibrations: Calibrations,
): Scoring {
  const isByWords = options.searchMethod !== 'vector';
  const fitting = fitTerms(terms, contents);
  const statistics = statisticsOf(contents);
  const keyword = isByWords ? new KeywordScorer(fitting, statistics) : null;
  const sought = queryHashes(fitting);
  const posted = new Map<DatasetId, PostingScores>();
  datasets.forEach(({ id }, index) => {
    const { postings, counted } = contents[index]!;
    if (keyword !== null && postings !== null) posted.set(id, new PostingScores(postings, counted, keyword, sought));
  });
  const spaces = new Map(
    datasets.flatMap(({ id, embeddingSpace }) => (known.has(embeddingSpace) ? [[id, embeddingSpace]] : [])),
  );
  const asOf = contents.map(({ seq }) => seq);
  const places = new Map(datasets.map(({ id }, index) => [id, index]));
  const languageOf: Scoring['languageOf'] = (datasetId, documentId) =>
    contents[places.get(datasetId) ?? -1]?.counted.get(documentId)?.language ?? null;
  const compares = options.mmr !== null;
  return { keyword, statistics, posted, vectors, spaces, calibrations, languageOf, known: [...known], compares, asOf };
}
