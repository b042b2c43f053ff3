import { describeQuarantine } from '../support/describe-quarantine.js';
import { describeOnEngines, engineSettings } from '../support/engines.js';

describeOnEngines('the quarantine', ({ kind, url, prefix }) => {
  describeQuarantine({ settings: engineSettings(kind, url, prefix) }, 10);
});
