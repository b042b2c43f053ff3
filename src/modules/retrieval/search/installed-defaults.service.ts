import { Global, Injectable, Module, Optional } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { FieldProblem } from '#libs/common';
import { RetrievalDefaultsCheck, type RetrievalDefaults } from '../../ingestion-policy/index.js';
import { GraphNeighbourhood } from '../graph/graph-neighbourhood.port.js';
import { rerankersOf } from '../statements/result-reranker.service.js';
import { problemsOf } from '../request/request-defaults.js';

/** Checks search options of policies as those of requests are checked. */
@Injectable()
export class InstalledDefaults extends RetrievalDefaultsCheck {
  constructor(
    private readonly models: InstalledModels,
    @Optional() private readonly graph?: GraphNeighbourhood,
  ) {
    super();
  }

  problemsOf(defaults: RetrievalDefaults): readonly FieldProblem[] {
    const { embedders, chatModels } = this.models;
    const facts = {
      embedder: embedders.own.descriptor,
      chatModel: chatModels.own.descriptor,
      hasGraph: this.graph !== undefined,
    };
    return problemsOf(defaults, { ...facts, ...rerankersOf(this.models) }, '');
  }
}

/** Contributes the check of search options to ingestion policies, which do not depend on searches. */
@Global()
@Module({
  providers: [{ provide: RetrievalDefaultsCheck, useClass: InstalledDefaults }],
  exports: [RetrievalDefaultsCheck],
})
export class RetrievalDefaultsModule {}
