import { entityKeyOf } from '../entity-rules/entity-key.js';
import { splitSentences } from '#libs/text';
import type { EvidenceRows } from '../graphs/kg-rows.js';
import { findName, type NamePlace } from './name-places.js';
import { nearestPlaces, type AnsweredEntity, type PassageAnswer } from './passage-answer.js';
import type { Passage } from './passages.js';

/** A passage and the checked part of the answer about it. */
export interface AnsweredPassage {
  readonly passage: Passage;
  readonly answer: PassageAnswer;
}

interface FoundEntity {
  readonly key: string;
  readonly entity: AnsweredEntity;
  /** Within the passage; places of longer names around them left out. */
  readonly places: readonly NamePlace[];
}

/** Makes rows of evidence from answers, passage by passage in the order of a document; each place is looked up in the text itself. */
export class AnswerRows {
  private mentions = 0;
  private relations = 0;
  /** End of the previous passages: text that chunks share gives rows once. */
  private done = 0;

  rowsOf(answered: readonly AnsweredPassage[]): EvidenceRows {
    const rows = {
      mentions: [] as EvidenceRows['mentions'][number][],
      relations: [] as EvidenceRows['relations'][number][],
    };
    for (const { passage, answer } of answered) {
      if ('skipped' in answer) continue;
      const found = placed(passage.text, answer.entities);
      rows.mentions.push(...this.mentionsOf(passage, found));
      rows.relations.push(...this.relationsOf(passage, found, answer.relations));
      this.done = Math.max(this.done, passage.start + passage.text.length);
    }
    return rows;
  }

  private mentionsOf({ chunk, start, text }: Passage, found: readonly FoundEntity[]): EvidenceRows['mentions'] {
    const sentences = splitSentences(text);
    const sentenceOf = (at: number): number => sentences.findLast((one) => one.start <= at)?.start ?? 0;
    const places = found.flatMap(({ key, entity, places: own }) => own.map((place) => ({ ...place, key, entity })));
    return places
      .filter((place) => start + place.start >= this.done)
      .sort((a, b) => a.start - b.start || a.end - b.end)
      .map((place) => ({
        position: this.mentions++,
        entity_key: place.key,
        label: place.entity.name,
        form: text.slice(place.start, place.end),
        entity_type: place.entity.type,
        chunk_id: chunk.id,
        char_start: start + place.start,
        char_end: start + place.end,
        sentence_start: start + sentenceOf(place.start),
      }));
  }

  private relationsOf(
    { chunk, start }: Passage,
    found: readonly FoundEntity[],
    relations: Extract<PassageAnswer, { relations: unknown }>['relations'],
  ): EvidenceRows['relations'] {
    return relations.flatMap(([from, to, relation]) => {
      const [source, target] = [found[from], found[to]];
      const span = source && target && nearestPlaces(source.places, target.places);
      if (span === undefined || source === undefined || target === undefined || start + span.end <= this.done)
        return [];
      return [
        {
          position: this.relations++,
          source_key: source.key,
          target_key: target.key,
          relation,
          chunk_id: chunk.id,
          char_start: start + span.start,
          char_end: start + span.end,
        },
      ];
    });
  }
}

/** The places of entities. A place of a longer name does not count for shorter names inside it, unless they occur nowhere else. */
function placed(text: string, entities: readonly AnsweredEntity[]): FoundEntity[] {
  const all = entities.map((entity) => {
    const places = [entity.name, ...entity.aliases].flatMap((form) => findName(text, form));
    return { key: entityKeyOf(entity.name), entity, places: withoutInner(places, places) };
  });
  const every = all.flatMap(({ places }) => places);
  return all.map((one) => {
    const free = withoutInner(one.places, every);
    return { ...one, places: free.length > 0 ? free : one.places.slice(0, 1) };
  });
}

/** Without the places that lie inside of longer ones, each once. */
function withoutInner(places: readonly NamePlace[], among: readonly NamePlace[]): NamePlace[] {
  const once = [...new Map(places.map((place) => [`${place.start} ${place.end}`, place])).values()];
  return once.filter(
    (place) =>
      !among.some(
        (other) =>
          other.start <= place.start && other.end >= place.end && other.end - other.start > place.end - place.start,
      ),
  );
}
