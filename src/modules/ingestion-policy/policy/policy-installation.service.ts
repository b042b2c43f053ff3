import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { FieldProblem } from '#libs/common';
import type { IngestionPolicyVersion, PresentIngestionPolicy } from '../schema/ingestion-policy.dto.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { invalidPolicy } from '../rules/policy-validation.js';
import { toPresentPolicy } from '../versions/policy-views.js';
import { RetrievalDefaultsCheck } from '../rules/retrieval-defaults-check.port.js';
import { wantedEmbedding, type WantedEmbedding } from '../rules/wanted-embedding.js';

/** What a policy asks of the installation beside what its schema says: models, and options of searches. */
@Injectable()
export class PolicyInstallation {
  constructor(
    private readonly models: InstalledModels,
    private readonly searches: RetrievalDefaultsCheck,
  ) {}

  /** What this installation cannot do; pointers begin at the policy. */
  problemsOf(policy: IngestionPolicy): FieldProblem[] {
    const searches = this.searches.problemsOf(policy.retrieval_defaults);
    const unsearchable = searches.map((problem) => ({
      ...problem,
      pointer: `/retrieval_defaults${problem.pointer}`,
    }));
    return [
      ...(this.wanted(policy) === undefined ? [this.unknownModel()] : []),
      ...this.writerProblems(policy),
      ...this.graphProblems(policy),
      ...unsearchable,
    ];
  }

  /** The embedding model of a policy that the installation can carry out. @throws `ingestion_policy.invalid` */
  require(policy: IngestionPolicy): WantedEmbedding {
    const problems = this.problemsOf(policy);
    const wanted = this.wanted(policy);
    if (problems.length > 0 || wanted === undefined) throw invalidPolicy(problems);
    return wanted;
  }

  /** The embedding model that a policy wants; undefined when it names one that is gone. */
  wanted(policy: Pick<IngestionPolicy, 'embedding'>): WantedEmbedding | undefined {
    return wantedEmbedding(this.models, policy);
  }

  /** The version in force of a dataset whose vectors lie in `space`. */
  present(version: IngestionPolicyVersion, space: string): PresentIngestionPolicy {
    return toPresentPolicy(version, space, this.models);
  }

  /** Lines about chunks need a chat model that writes, and that writes as much as the policy asks for. */
  private writerProblems({ enrichment }: IngestionPolicy): FieldProblem[] {
    if (enrichment.context === 'off') return [];
    const { kind, model, maxOutputTokens: most } = this.models.chatModels.own.descriptor;
    if (kind !== 'generative') {
      const detail = `needs a chat model that writes text of its own, and ${model} only quotes: use "off", or have CHAT_PROVIDER and CHAT_MODEL set`;
      return [{ pointer: '/enrichment/context', code: 'needs_chat_model', detail }];
    }
    const { max_tokens: asked } = enrichment;
    if (asked <= most) return [];
    const detail = `must be at most ${most}, the most tokens that ${model} writes at once here, and is ${asked}: set it lower, or have CHAT_MAX_OUTPUT_TOKENS raised`;
    return [{ pointer: '/enrichment/max_tokens', code: 'above_model_limit', detail }];
  }

  /** Graphs are read by any chat model that writes. */
  private graphProblems({ kg }: IngestionPolicy): FieldProblem[] {
    if (kg.mode !== 'llm') return [];
    const canWrite = this.models.chatModels.all.some(({ model }) => model.descriptor.kind === 'generative');
    if (canWrite) return [];
    const detail =
      'needs a chat model that writes text of its own, and none is configured: use "heuristic" or "off", or have CHAT_PROVIDER and CHAT_MODEL set';
    return [{ pointer: '/kg/mode', code: 'needs_chat_model', detail }];
  }

  private unknownModel(): FieldProblem {
    const known = this.models.embedders.all.map(({ id }) => id).join(', ');
    const detail = `must be an embedding model of this installation: ${known}`;
    return { pointer: '/embedding/model', code: 'unknown_model', detail };
  }
}
