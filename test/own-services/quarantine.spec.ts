import { describeQuarantine } from '../support/describe-quarantine.js';

describeQuarantine({}, 20);
