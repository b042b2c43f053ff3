import { describe, expect, it } from 'vitest';
import { EmbedderList, ModelList } from './installed-models.js';

const described = (provider: string, model: string) => ({ descriptor: { provider, model } });
const own = described('builtin', 'hashing-v1');
const small = { id: 'small', model: described('openai', 'text-embedding-3-small') };

describe('the list of the embedding models', () => {
  it('calls the own one as its datasets and its settings do, and finds it by the id that it had before', () => {
    const list = new EmbedderList(own, [small]);
    expect(list.all.map(({ id }) => id)).toEqual(['hashing-v1', 'small']);
    for (const name of ['hashing-v1', 'builtin-hashing-v1']) {
      expect(list.findNamed(name)).toEqual({ id: 'hashing-v1', model: own });
    }
    expect(list.find('builtin')).toBeUndefined();
  });

  it('finds a further one by what datasets record, where one model alone is called so', () => {
    expect(new EmbedderList(own, [small]).findNamed('text-embedding-3-small')).toEqual(small);
    const two = new EmbedderList(own, [small, { ...small, id: 'shorter' }]);
    expect(two.find('text-embedding-3-small')).toBeUndefined();
  });

  it('leaves a name that MODELS_FILE gives to another model to that', () => {
    const other = { id: 'hashing-v1', model: described('openai', 'x') };
    const list = new EmbedderList(own, [other]);
    expect(list.all.map(({ id }) => id)).toEqual(['builtin-hashing-v1', 'hashing-v1']);
    expect(list.find('hashing-v1')).toBe(other.model);
  });
});

describe('the list of other models', () => {
  it('finds by id alone', () => {
    const list = new ModelList(described('builtin', 'lexical-v1'));
    expect(list.all.map(({ id }) => id)).toEqual(['builtin-lexical-v1']);
    expect(list.find('lexical-v1')).toBeUndefined();
  });
});
