import { newId, type ApiKeyId, type DatasetId } from '#libs/common';
import type { Settings } from '#libs/config';
import { AuditLog } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { TestDatabase, TestMember } from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentTextReader } from '../../documents/index.js';
import { ExplainLab, type DocumentInState } from '../../retrieval/testing/explain-lab.js';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import { ChangedAnswers } from '../conversations/changed-answers.service.js';
import { ConversationHistory } from '../conversations/conversation-history.service.js';
import { ConversationTurnsRepository } from '../conversations/conversation-turns.repository.js';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';
import { ConversationsRepository } from '../conversations/conversations.repository.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { VisibleAnswers } from '../conversations/visible-answers.service.js';
import { ShownSourcesRepository } from '../conversations/shown-sources.repository.js';
import { SharedAnswersRepository } from '../conversations/shared-answers.repository.js';
import { SharedAnswersService } from '../conversations/shared-answers.service.js';
import type { EndedTurn } from '../conversations/ended-turn.js';
import type { StoredAnswer } from '../turn/stored-answer.js';
import type { ConversationTurn } from '../conversations/conversation.dto.js';
import { AskedQuestionsRepository } from '../questions/asked-questions.repository.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { QuestionsService } from '../questions/questions.service.js';

/** A tenant with documents, in which conversations are kept as chats would keep them. */
export class ConversationLab {
  readonly conversations: ConversationsRepository;
  readonly turns: ConversationTurnsRepository;
  readonly outcomes: QuestionOutcomesRepository;
  readonly service: ConversationsService;
  readonly history: ConversationHistory;
  readonly questions: QuestionsService;
  readonly changed: ChangedAnswers;
  readonly shared: SharedAnswersService;

  private constructor(readonly explainLab: ExplainLab) {
    const { unitOfWork } = explainLab.db;
    const access = new DatasetAccess(unitOfWork);
    this.conversations = new ConversationsRepository(unitOfWork);
    this.turns = new ConversationTurnsRepository(unitOfWork, this.conversations);
    this.outcomes = new QuestionOutcomesRepository(unitOfWork);
    const seen = new VisibleAnswers(
      this.turns,
      new ShownSourcesRepository(unitOfWork, access),
      access,
      new DocumentTextReader(unitOfWork),
    );
    const settings = { values: { conversationsKeptDays: 90 } } as Settings;
    const shares = new SharedAnswersRepository(unitOfWork);
    const audit = new AuditLog(unitOfWork);
    this.service = new ConversationsService(
      unitOfWork,
      this.conversations,
      this.turns,
      seen,
      shares,
      this.outcomes,
      settings,
    );
    this.shared = new SharedAnswersService(unitOfWork, this.conversations, this.turns, shares, seen, audit, settings);
    this.changed = new ChangedAnswers(unitOfWork, this.turns, seen);
    this.history = new ConversationHistory(this.conversations, this.turns, seen);
    this.questions = new QuestionsService(
      unitOfWork,
      explainLab.services.requests,
      this.outcomes,
      new AskedQuestionsRepository(unitOfWork, access),
      access,
      audit,
    );
  }

  static async open(db: TestDatabase, models: RetrievalModels): Promise<ConversationLab> {
    return new ConversationLab(await ExplainLab.open(db, new MemoryVectorStore(), models));
  }

  /** A conversation of the caller with one turn that was made of this document; answers both. */
  async talk(
    ctx: RequestContext,
    document: DocumentInState,
    changes: Partial<EndedTurn> & { readonly content?: StoredAnswer } = {},
  ): Promise<{ readonly id: ConversationId; readonly turnId: TurnId | undefined }> {
    const { id } = await this.service.create(ctx, {});
    const turnId = await this.turns.keep(ctx, id as ConversationId, { ...(await this.turn(document)), ...changes });
    return { id: id as ConversationId, turnId };
  }

  /** A turn whose answer was made of the first chunk of this document. */
  async turn(document: DocumentInState, name = 'note.txt'): Promise<EndedTurn> {
    const [chunk] = await this.explainLab.sql<{ id: string; text_start: string; text_end: string; body: string }>(
      `SELECT id, text_start, text_end, body FROM chunks WHERE id = $1`,
      [document.chunks[0]],
    );
    const place = {
      document_id: document.id,
      document_name: name,
      path: null,
      document_created_at: '2026-01-01T00:00:00.000Z',
      dataset_id: document.dataset,
      chunk_id: chunk!.id,
      page: null,
      revision: 1,
    };
    const [start, end] = [Number(chunk!.text_start), Number(chunk!.text_end)];
    const source = { number: 1, marker: '[1]', ...place, score: 0.9, page_end: null, char_start: start, char_end: end };
    const citation = { id: 'c1', marker: '[1]', answer_start: 0, answer_end: chunk!.body.length, ...place };
    const cited = { source_char_start: start, source_char_end: end, cited_text: chunk!.body };
    return {
      state: 'complete',
      requestId: newId(),
      question: 'How often is the pump serviced?',
      model: 'builtin-extractive-v1',
      datasetIds: [document.dataset],
      contextTurnIds: [],
      askedAt: new Date(),
      content: {
        text: `${chunk!.body} [1]`,
        finish_reason: 'stop',
        citations: [{ ...citation, ...cited, support_score: 1, verified: true }],
        sources: [{ ...source, text: chunk!.body }],
        grounding: null,
        refusal: null,
        table: null,
        document_ids: [document.id],
      },
    };
  }

  /** The turns of a conversation as the caller reads them. */
  async read(ctx: RequestContext, id: string): Promise<ConversationTurn[]> {
    return (await this.service.read(ctx, id, { limit: 100 })).turns;
  }

  /** A context of an API key of this member. */
  async keyOf(
    { ctx, accountId, tenantId }: TestMember,
    datasetIds: DatasetId[] | null = null,
  ): Promise<RequestContext> {
    const keyId = newId<ApiKeyId>();
    await this.explainLab.db.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `INSERT INTO api_keys (id, tenant_id, account_id, name, secret_hash, scopes, dataset_ids) VALUES ($1, $2, $3, 'k', $4, '{}', $5)`,
        [keyId, tenantId, accountId, keyId, datasetIds],
      ),
    );
    const { permissions } = ctx.principal;
    return { ...ctx, principal: { kind: 'api_key', keyId, accountId, role: null, permissions, datasetIds } };
  }
}
