import { Entity, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';

/** A document that a kept result describes, as its `documents` say. Written by a trigger of `idempotency_keys` alone, and gone with the result. */
@Entity('idempotency_documents')
@Index('idempotency_documents_document', ['document_id'])
export class IdempotencyDocumentEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @PrimaryColumn('text')
  readonly principal!: string;

  @PrimaryColumn('text')
  readonly route!: string;

  @PrimaryColumn('text')
  readonly key!: string;

  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;
}
