import { describe, expect, it } from 'vitest';
import { EmbedderShelf, ModelShelf } from './installed-models.js';

const described = (provider: string, model: string) => ({ descriptor: { provider, model } });
const own = described('builtin', 'hashing-v1');
const small = { id: 'small', model: described('openai', 'text-embedding-3-small') };

describe('the shelf of the embedding models', () => {
  it('calls the own one as its datasets and its settings do, and finds it by the id that it had before', () => {
    const shelf = new EmbedderShelf(own, [small]);
    expect(shelf.all.map(({ id }) => id)).toEqual(['hashing-v1', 'small']);
    for (const name of ['hashing-v1', 'builtin-hashing-v1']) {
      expect(shelf.findNamed(name)).toEqual({ id: 'hashing-v1', model: own });
    }
    expect(shelf.find('builtin')).toBeUndefined();
  });

  it('finds a further one by what datasets record, where one model alone is called so', () => {
    expect(new EmbedderShelf(own, [small]).findNamed('text-embedding-3-small')).toEqual(small);
    const two = new EmbedderShelf(own, [small, { ...small, id: 'shorter' }]);
    expect(two.find('text-embedding-3-small')).toBeUndefined();
  });

  it('leaves a name that MODELS_FILE gives to another model to that', () => {
    const other = { id: 'hashing-v1', model: described('openai', 'x') };
    const shelf = new EmbedderShelf(own, [other]);
    expect(shelf.all.map(({ id }) => id)).toEqual(['builtin-hashing-v1', 'hashing-v1']);
    expect(shelf.find('hashing-v1')).toBe(other.model);
  });
});

describe('the shelf of other models', () => {
  it('finds by id alone', () => {
    const shelf = new ModelShelf(described('builtin', 'lexical-v1'));
    expect(shelf.all.map(({ id }) => id)).toEqual(['builtin-lexical-v1']);
    expect(shelf.find('lexical-v1')).toBeUndefined();
  });
});
