/**
 * Loaded first by the service of a spec: SIGUSR2 sets the clock of its process back by two hours, as the correction of a clock that was wrong
 * does, or a virtual machine that goes on from a snapshot. What it measures by `performance.now()`, and its timers, go on.
 */
const BACK_MS = 7_200_000;
const { now } = Date;
let back = 0;
process.on('SIGUSR2', () => {
  back += BACK_MS;
});
const moved = () => now() - back;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, type) => Reflect.construct(target, args.length > 0 ? args : [moved()], type),
  get: (target, key) => (key === 'now' ? moved : Reflect.get(target, key)),
});
