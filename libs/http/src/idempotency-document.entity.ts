import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';

const KEY = ['tenant_id', 'principal', 'route', 'key'] as const;

/** A document that a kept result describes, as its `documents` say. Written by a trigger of `idempotency_keys` alone, and gone with the result. */
@Entity('idempotency_documents')
@ForeignKey(() => IdempotencyKeyEntity, KEY, KEY, { name: 'idempotency_documents_key_fkey', onDelete: 'CASCADE' })
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
