import { describeMainJob } from '../support/describe-main-job.js';

describeMainJob({ fromNothing: true });
