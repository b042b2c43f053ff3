import { describe, expect, it } from 'vitest';
import { saysOtherwise } from './pdf-page-writer.js';

const SEEN =
  'The boiler of the northern building was inspected in March, and every valve replaced by the company Brandt.';

describe('a text layer and the picture over it', () => {
  it('differ when most words of the picture are not in the text', () => {
    expect(saysOtherwise('Minutes of the annual meeting: the chairman welcomes forty members and guests.', SEEN)).toBe(
      true,
    );
    expect(saysOtherwise('Tbc b0iler 0f tbc nortbern bui1ding vvas inspectcd', SEEN)).toBe(true);
  });

  it.each([
    ['the same, in another order and case', SEEN.split(' ').toReversed().join('\n').toUpperCase()],
    ['more than the picture', `${SEEN} Further pages follow, in which other matters are told at length.`],
    ['the same with some errors', SEEN.replace('boiler', 'boi1er').replace('valve', 'va1ve').replace('March', 'Marcb')],
  ])('agree when the text says %s', (_what, layer) => {
    expect(saysOtherwise(layer, SEEN)).toBe(false);
  });

  it('tell nothing where the picture holds few words', () => {
    expect(saysOtherwise('Minutes of the meeting', 'Stamp received Brandt')).toBe(false);
  });

  it('are compared by characters where no spaces part words', () => {
    expect(saysOtherwise('国境の長いトンネルを抜けると雪国であった', '国境の長いトンネルを抜けると')).toBe(false);
    expect(saysOtherwise('吾輩は猫である。名前はまだない。', '国境長夜底白信号所汽車止')).toBe(true);
  });
});
