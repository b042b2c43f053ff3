import { Injectable } from '@nestjs/common';
import { CatalogueError, isUuid, type DatasetId } from '#libs/common';
import type { EntityType } from '#libs/detectors';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { DOCUMENT_RENAMED } from '../documents.events.js';
import { DomainEvents } from '#libs/events';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { governanceRulesOf, IngestionPolicies, type GovernanceRules } from '../../ingestion-policy/index.js';
import { DocumentChangesRepository, type ChangedDocument } from './document-changes.repository.js';
import type { DocumentRow } from '../record/document.entity.js';
import { DocumentMovesRepository } from '../record/document-moves.repository.js';
import { applyFactsPatch, type FactsChange, type FactsPatch } from './document-patch.js';
import { readSelection } from './document-selection.js';
import { bumpAll } from '../record/document-transitions.service.js';
import { isSplit, toDetail } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import type { BulkResult } from './bulk.dto.js';
import type { DocumentDetail } from '../record/document.dto.js';
import type { BatchUpdateRequest, UpdateDocumentRequest } from './update-document.dto.js';
import { factsOf } from '../record/event-payloads.js';
import { FactsQuarantine, type QuarantinedFacts } from '../rules/facts-quarantine.port.js';
import { SelectedDocuments } from './selected-documents.repository.js';

interface UpdateOutcome {
  /** The documents after the change, including those that did not change. */
  readonly accepted: readonly DocumentRow[];
  readonly rejected: readonly { readonly id: string; readonly error: CatalogueError }[];
}

/** Changes names, metadata and tags of documents that the caller can see. */
@Injectable()
export class DocumentUpdatesService {
  constructor(
    private readonly changes: DocumentChangesRepository,
    private readonly moves: DocumentMovesRepository,
    private readonly selected: SelectedDocuments,
    private readonly policies: IngestionPolicies,
    private readonly quarantines: FactsQuarantine,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @throws `documents.not_found`, `http.validation_failed` when the result would be too large or contains something that the policy
   * rejects
   */
  async update(ctx: RequestContext, documentId: string, request: UpdateDocumentRequest): Promise<DocumentDetail> {
    const { accepted, rejected } = await this.updateAll(ctx, [documentId], request);
    const row = accepted[0];
    if (row === undefined) throw rejected[0]?.error ?? documentErrors.not_found({});
    return toDetail(row);
  }

  async updateMany(ctx: RequestContext, request: BatchUpdateRequest): Promise<BulkResult> {
    const { patch } = request;
    if (Object.values(patch).every((value) => value === undefined)) {
      throw validationFailed([
        { pointer: '/patch', code: 'min_properties', detail: 'must name at least one field to change' },
      ]);
    }
    const outcomes: UpdateOutcome[] = [];
    await this.selected.forEachBatch(ctx, readSelection(request, { needsCondition: false }), async (ids) => {
      outcomes.push(await this.updateAll(ctx, ids, patch));
    });
    return {
      accepted: outcomes.flatMap(({ accepted }) => accepted.map(({ id }) => id)),
      rejected: outcomes.flatMap(({ rejected }) =>
        rejected.map(({ id, error }) => ({ id, code: error.code, detail: error.message })),
      ),
    };
  }

  /**
   * Locks datasets before documents, both in the order of their ids, and nothing if nothing would change. A change of metadata and tags of
   * an archive also changes its files; a file that cannot be changed is among the rejected documents.
   */
  private async updateAll(ctx: RequestContext, ids: readonly string[], patch: FactsPatch): Promise<UpdateOutcome> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      const places = await this.moves.locateVisible(inner, wanted.filter(isUuid));
      const named = new Set<string>(idsOf(places));
      const parts = await this.moves.listParts(inner, idsOf(places.filter(isSplit)));
      const seen = await this.changes.list(inner, [...new Set([...named, ...parts])]);
      const rules = await this.rulesOf(inner, seen);
      const change = (row: DocumentRow): FactsChange =>
        applyFactsPatch(row, named.has(row.id) ? patch : withoutName(patch), rules.get(row.dataset_id));
      const concerned = seen.filter((row) => !isUnchanged(row, change(row)));
      const numbers = await bumpAll(manager, new Set(concerned.map((row) => row.dataset_id)));
      const results = new Map<string, DocumentRow | CatalogueError>(
        seen.filter((row) => !concerned.includes(row)).map((row) => [row.id, row]),
      );
      const changes: ChangedDocument[] = [];
      const quarantined = new Map<string, readonly EntityType[]>();
      const formerNames = new Map<string, string>();
      for (const row of await this.moves.lock(inner, idsOf(concerned))) {
        const result = change(row);
        formerNames.set(row.id, row.name);
        if ('problems' in result) results.set(row.id, validationFailed(result.problems) as CatalogueError);
        else if (result.facts === row) results.set(row.id, row);
        else changes.push({ id: row.id, facts: result.facts, contentSeq: numbers.get(row.dataset_id)! });
        if ('quarantined' in result && result.quarantined.length > 0) quarantined.set(row.id, result.quarantined);
      }
      const written = await this.changes.write(inner, changes);
      await this.tellNames(inner, written, formerNames);
      const shut = written.flatMap((row) => {
        const types = quarantined.get(row.id);
        return types === undefined ? [] : [{ row, types, rules: rules.get(row.dataset_id)! }];
      });
      for (const row of [...written, ...(await this.quarantine(inner, shut))]) results.set(row.id, row);
      return sortOut([...wanted, ...refusedOf(parts, named, results)], results);
    });
  }

  private async tellNames(
    ctx: TransactionContext,
    rows: readonly DocumentRow[],
    formerNames: ReadonlyMap<string, string>,
  ): Promise<void> {
    const renamed = rows.filter(({ id, name }) => formerNames.get(id) !== name);
    await this.events.publish(ctx, DOCUMENT_RENAMED, renamed.map(factsOf));
  }

  /** The documents after the change. */
  private async quarantine(ctx: TransactionContext, documents: readonly QuarantinedFacts[]): Promise<DocumentRow[]> {
    if (documents.length === 0) return [];
    await this.quarantines.quarantine(ctx, documents);
    return this.changes.list(ctx, idsOf(documents.map(({ row }) => row)));
  }

  /** The rules of the documents' datasets, by dataset. */
  private async rulesOf(ctx: RequestContext, rows: readonly DocumentRow[]): Promise<Map<DatasetId, GovernanceRules>> {
    const rules = new Map<DatasetId, GovernanceRules>();
    for (const id of new Set(rows.map((row) => row.dataset_id))) {
      rules.set(id, governanceRulesOf((await this.policies.current(ctx, id)).policy.governance));
    }
    return rules;
  }
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id);
}

/** A change of an archive applies to its files too, except for the name. */
function withoutName({ name: _, ...patch }: FactsPatch): FactsPatch {
  return patch;
}

/** Files that could not be changed together with their archives. */
function refusedOf(
  parts: readonly string[],
  named: ReadonlySet<string>,
  results: ReadonlyMap<string, DocumentRow | CatalogueError>,
): string[] {
  return parts.filter((id) => !named.has(id) && results.get(id) instanceof CatalogueError);
}

function isUnchanged(row: DocumentRow, result: FactsChange): boolean {
  return 'facts' in result && result.facts === row;
}

function sortOut(wanted: readonly string[], results: ReadonlyMap<string, DocumentRow | CatalogueError>): UpdateOutcome {
  const accepted: DocumentRow[] = [];
  const rejected: { id: string; error: CatalogueError }[] = [];
  for (const id of wanted) {
    const result = results.get(id) ?? documentErrors.not_found({});
    if (result instanceof CatalogueError) rejected.push({ id, error: result });
    else accepted.push(result);
  }
  return { accepted, rejected };
}
