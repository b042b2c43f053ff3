import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { FieldProblem } from '#libs/common';
import type { IngestionPolicyVersion, PresentIngestionPolicy } from '../schema/ingestion-policy.dto.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { invalidPolicy } from '../rules/policy-validation.js';
import { toPresentPolicy } from '../versions/policy-views.js';
import { RetrievalDefaultsCheck } from '../rules/retrieval-defaults-check.port.js';
import { wantedEmbedding, type WantedEmbedding } from '../rules/wanted-embedding.js';

/** Checks that the installation can carry out a policy: models, and options of searches. */
@Injectable()
export class PolicyInstallation {
  constructor(
    private readonly models: InstalledModels,
    private readonly searches: RetrievalDefaultsCheck,
  ) {}

  /** Problems that this installation has with a policy; pointers begin at the policy. */
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

  /** The embedding model of a policy, which the installation must have. @throws `ingestion_policy.invalid` */
  require(policy: IngestionPolicy): WantedEmbedding {
    const problems = this.problemsOf(policy);
    const wanted = this.wanted(policy);
    if (problems.length > 0 || wanted === undefined) throw invalidPolicy(problems);
    return wanted;
  }

  /** The embedding model of a policy; undefined when it names one that is no longer installed. */
  wanted(policy: Pick<IngestionPolicy, 'embedding'>): WantedEmbedding | undefined {
    return wantedEmbedding(this.models, policy);
  }

  /** The version in force of a dataset whose vectors are in `space`. */
  present(version: IngestionPolicyVersion, space: string): PresentIngestionPolicy {
    return toPresentPolicy(version, space, this.models);
  }

  /** Lines about chunks need a chat model that writes text of its own, and that can write as many tokens as the policy requests. */
  private writerProblems({ enrichment }: IngestionPolicy): FieldProblem[] {
    if (enrichment.context === 'off') return [];
    const { kind, model, maxOutputTokens: most } = this.models.chatModels.own.descriptor;
    if (kind !== 'generative') {
      const detail = `needs a chat model that writes text of its own, but ${model} only quotes: use "off", or have CHAT_PROVIDER and CHAT_MODEL set`;
      return [{ pointer: '/enrichment/context', code: 'needs_chat_model', detail }];
    }
    const { max_tokens: asked } = enrichment;
    if (asked <= most) return [];
    const detail = `must be at most ${most}, the maximum number of tokens that ${model} writes at once in this installation, but is ${asked}: set it lower, or have CHAT_MAX_OUTPUT_TOKENS raised`;
    return [{ pointer: '/enrichment/max_tokens', code: 'above_model_limit', detail }];
  }

  /** Graph extraction by a model needs any chat model that writes text of its own. */
  private graphProblems({ kg }: IngestionPolicy): FieldProblem[] {
    if (kg.mode !== 'llm') return [];
    const canWrite = this.models.chatModels.all.some(({ model }) => model.descriptor.kind === 'generative');
    if (canWrite) return [];
    const detail =
      'needs a chat model that writes text of its own, but none is configured: use "heuristic" or "off", or have CHAT_PROVIDER and CHAT_MODEL set';
    return [{ pointer: '/kg/mode', code: 'needs_chat_model', detail }];
  }

  private unknownModel(): FieldProblem {
    const known = this.models.embedders.all.map(({ id }) => id).join(', ');
    const detail = `must be an embedding model of this installation: ${known}`;
    return { pointer: '/embedding/model', code: 'unknown_model', detail };
  }
}
