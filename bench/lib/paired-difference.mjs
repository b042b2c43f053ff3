/** Statistics of paired measurements, with fixed seeds. */
const SAMPLES = 10_000;

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 95 % percentile bootstrap interval of the mean. */
export function bootstrapInterval(values, seed = 1) {
  const random = randomOf(seed);
  const means = Array.from({ length: SAMPLES }, () => {
    let sum = 0;
    for (let index = 0; index < values.length; index += 1) sum += values[Math.floor(random() * values.length)];
    return sum / values.length;
  }).sort((a, b) => a - b);
  return { low: means[Math.floor(SAMPLES * 0.025)], high: means[Math.ceil(SAMPLES * 0.975) - 1] };
}

/** The same items in another order (Fisher and Yates). */
export function dealAnew(items, seed) {
  const random = randomOf(seed);
  const dealt = [...items];
  for (let index = dealt.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [dealt[index], dealt[other]] = [dealt[other], dealt[index]];
  }
  return dealt;
}
