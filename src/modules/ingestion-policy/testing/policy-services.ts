import { EmbedderList, InstalledModels, ModelList, type Embedder } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { AuditLog, type UnitOfWork } from '#libs/database';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import type { RequestContext } from '#libs/tenancy';
import { CategoriesService, DatasetAccess } from '../../datasets/index.js';
import { createDatasetServices } from '../../datasets/testing/dataset-services.js';
import { DatasetConfigExport } from '../dataset-config/dataset-config-export.service.js';
import { DatasetConfigImport } from '../dataset-config/dataset-config-import.service.js';
import { IngestionPolicies } from '../policy/ingestion-policies.service.js';
import { PolicyChanges } from '../policy/policy-changes.service.js';
import { PolicyInstallation } from '../policy/policy-installation.service.js';
import { PolicyEmbeddings } from '../policy/policy-embeddings.service.js';
import { PolicyHistory } from '../policy/policy-history.service.js';
import { PolicyUsage } from '../rules/policy-usage.port.js';
import { PresentPolicies } from '../policy/present-policies.service.js';
import { PolicyVersionsRepository } from '../versions/policy-versions.repository.js';

export { PolicyChanges };

/** Numbers of documents by version, set by the test. */
export class FakePolicyUsage extends PolicyUsage {
  readonly documents = new Map<number, number>();

  override async countDocuments(_ctx: RequestContext, _id: DatasetId, versions: readonly number[]) {
    return new Map([...this.documents].filter(([version]) => versions.includes(version)));
  }

  override async versionsInUse(_ctx: RequestContext, _id: DatasetId, versions: readonly number[]): Promise<number[]> {
    return versions.filter((version) => this.documents.has(version));
  }

  override async takeEmbedding(): Promise<boolean> {
    return false;
  }
}

/** Two embedding models that are never called, the first for new datasets; no models for other ports. */
export function describedModels(): InstalledModels {
  const described = (model: string, dimensions: number, space: string): Embedder =>
    ({ descriptor: { provider: 'builtin', model, dimensions, space } }) as unknown as Embedder;
  const none = new ModelList(null as never);
  return new InstalledModels(
    new EmbedderList(described('test-model', 8, 'test-space'), [
      { id: 'other', model: described('other', 3, 'other') },
    ]),
    none,
    none,
  );
}

/** The service of present policies, over a database. */
export function presentPoliciesOver(unitOfWork: UnitOfWork): PresentPolicies {
  return new PresentPolicies(new PolicyVersionsRepository(unitOfWork, eventsOver(unitOfWork)));
}

/** The services of the module over a database, with test doubles for the ports of other modules. */
export function createPolicyServices(unitOfWork: UnitOfWork) {
  const repository = new PolicyVersionsRepository(unitOfWork, eventsOver(unitOfWork));
  const usage = new FakePolicyUsage();
  const models = describedModels();
  const policies = new IngestionPolicies(repository, usage, models);
  const datasets = createDatasetServices(
    unitOfWork,
    policies,
    new PolicyEmbeddings(presentPoliciesOver(unitOfWork), models),
  );
  const access = new DatasetAccess(unitOfWork);
  const audit = new AuditLog(unitOfWork);
  const installation = new PolicyInstallation(models, { problemsOf: () => [] });
  const history = new PolicyHistory(access, repository, usage, audit, models);
  const changes = new PolicyChanges(unitOfWork, access, repository, history, usage, audit, installation);
  const categories: CategoriesService = datasets.categories;
  return {
    ...datasets,
    policies,
    usage,
    history,
    changes,
    exports: new DatasetConfigExport(unitOfWork, datasets.datasets, categories, history, audit),
    imports: new DatasetConfigImport(
      unitOfWork,
      datasets.datasets,
      datasets.updates,
      categories,
      access,
      changes,
      audit,
    ),
  };
}

export type PolicyServices = ReturnType<typeof createPolicyServices>;
