import { describeMainJob } from '../support/describe-main-job.js';
import { describeOnEngines, engineSettings } from '../support/engines.js';

describeOnEngines('the main job', ({ kind, url, prefix }) => {
  describeMainJob({ settings: engineSettings(kind, url, prefix) });
});
