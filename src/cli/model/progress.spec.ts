import { describe, expect, it } from 'vitest';
import { inUnits, ScreenProgress } from './progress.js';

function transfer(isTTY: boolean): string {
  let now = 0;
  let text = '';
  const progress = new ScreenProgress({ isTTY, columns: 100, write: (more) => (text += more) }, () => now);
  progress.begin('model.onnx', 4_000_000, 1_000_000);
  for (let second = 1; second <= 30; second += 1) {
    now = second * 1000;
    progress.add(100_000);
  }
  progress.end();
  progress.say('Done.');
  return text;
}

describe('ScreenProgress', () => {
  it('draws one bar on a terminal, over and over on the same line', () => {
    const drawn = transfer(true).split('\r\u001B[K');
    expect(drawn[1]).toContain('[######..................] model.onnx 25 % of 4.0 MB');
    expect(drawn.at(-1)).toBe('[########################] model.onnx 100 % of 4.0 MB  100 kB/s\nDone.\n');
    expect(drawn.slice(0, -1).join('')).not.toContain('\n');
  });

  it('writes plain lines where there is no terminal, and few of them', () => {
    expect(transfer(false)).toBe(
      [
        'model.onnx: going on at 1.0 MB',
        'model.onnx 50 % of 4.0 MB',
        'model.onnx 75 % of 4.0 MB',
        'model.onnx 100 % of 4.0 MB',
        'model.onnx 100 % of 4.0 MB',
        'Done.\n',
      ].join('\n'),
    );
  });
});

describe('inUnits', () => {
  it('keeps two digits', () => {
    expect([0, 999, 1000, 23_590_925, 1e13].map(inUnits)).toEqual(['0 B', '999 B', '1.0 kB', '24 MB', '10 TB']);
  });
});
