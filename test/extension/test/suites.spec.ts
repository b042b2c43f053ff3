import { describeChatModel, describeVectorStore } from 'knowledge-base-service/extension';
import { AcmeModel } from '../src/model/acme-model.js';
import { AcmeStore } from '../src/store/acme-store.js';

await describeVectorStore('the store of Acme', async () => new AcmeStore());
await describeChatModel('the model of Acme', () => new AcmeModel());
