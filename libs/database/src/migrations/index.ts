import { Initial0001 } from './0001-initial.js';
import { Operations0002 } from './0002-operations.js';
import { RequestLedger0003 } from './0003-request-ledger.js';
import { EmbeddingSwitch0004 } from './0004-embedding-switch.js';
import { StoreSwitch0005 } from './0005-store-switch.js';
import { LoginOrigins0006 } from './0006-login-origins.js';
import { Invitations0007 } from './0007-invitations.js';
import { PageEnd0008 } from './0008-page-end.js';
import { PresentButEmpty0009 } from './0009-present-but-empty.js';
import { Tasks0010 } from './0010-tasks.js';
import { DomainEvents0011 } from './0011-domain-events.js';
import { UnfinishedUploads0013 } from './0013-unfinished-uploads.js';
import { Plugins0015 } from './0015-plugins.js';
import { StoreTasks0016 } from './0016-store-tasks.js';
import { ModelUsage0017 } from './0017-model-usage.js';
import { ModelCalls0018 } from './0018-model-calls.js';
import { OidcIdentities0019 } from './0019-oidc-identities.js';
import { DatasetInstructions0020 } from './0020-dataset-instructions.js';
import { CachesOfClosedDocuments0023 } from './0023-caches-of-closed-documents.js';
import { ChunkContexts0024 } from './0024-chunk-contexts.js';
import { Webhooks0025 } from './0025-webhooks.js';
import { Findings0027 } from './0027-findings.js';
import { AuditLogReading0029 } from './0029-audit-log-reading.js';
import { QuarantineWorkflow0030 } from './0030-quarantine-workflow.js';
import { Scans0031 } from './0031-scans.js';
import { Prechecks0032 } from './0032-prechecks.js';
import { Evaluations0034 } from './0034-evaluations.js';
import { Rescans0036 } from './0036-rescans.js';
import { EvaluationAnswers0042 } from './0042-evaluation-answers.js';
import { GeneratedCases0043 } from './0043-generated-cases.js';
import { Tables0044 } from './0044-tables.js';
import { OutdatedCases0049 } from './0049-outdated-cases.js';
import { KnowledgeGraph0046 } from './0046-knowledge-graph.js';
import { GraphsByAChatModel0053 } from './0053-graphs-by-a-chat-model.js';
import { NamesOfEntities0054 } from './0054-names-of-entities.js';
import { SeparateAccounts0057 } from './0057-separate-accounts.js';
import { DocumentCounts0070 } from './0070-document-counts.js';
import { PasswordsNeverShown0065 } from './0065-passwords-never-shown.js';
import { VouchedOwners0058 } from './0058-vouched-owners.js';
import { StorageReports0062 } from './0062-storage-reports.js';
import { LiveProcesses0067 } from './0067-live-processes.js';
import { EmbeddingScales0080 } from './0080-embedding-scales.js';
import { ShorterChunks0081 } from './0081-shorter-chunks.js';
import { ActiveTenants0083 } from './0083-active-tenants.js';
import { EventsByTenant0084 } from './0084-events-by-tenant.js';
import { DocumentPaths0082 } from './0082-document-paths.js';
import { ArchiveParts0085 } from './0085-archive-parts.js';
import { CountsOfArchives0086 } from './0086-counts-of-archives.js';
import { SessionsOfPeople0087 } from './0087-sessions-of-people.js';
import { Conversations0088 } from './0088-conversations.js';
import { SharedAnswers0089 } from './0089-shared-answers.js';
import { AnswersInContext0090 } from './0090-answers-in-context.js';
import { ShownContent0091 } from './0091-shown-content.js';
import { AnswersOfDocuments0092 } from './0092-answers-of-documents.js';
import { AnswersKeptBefore0093 } from './0093-answers-kept-before.js';
import { NaturalOrder0094 } from './0094-natural-order.js';

/**
 * Every migration in the order in which it runs. A new one is appended; a landed one is never changed. TypeORM sorts them by the last
 * 13 digits of their names, so from the tenth on these are `9000000000010` and so on.
 */
export const MIGRATIONS = [
  Initial0001,
  Operations0002,
  RequestLedger0003,
  EmbeddingSwitch0004,
  StoreSwitch0005,
  LoginOrigins0006,
  Invitations0007,
  PageEnd0008,
  PresentButEmpty0009,
  Tasks0010,
  DomainEvents0011,
  UnfinishedUploads0013,
  Plugins0015,
  StoreTasks0016,
  ModelUsage0017,
  ModelCalls0018,
  OidcIdentities0019,
  DatasetInstructions0020,
  CachesOfClosedDocuments0023,
  ChunkContexts0024,
  Webhooks0025,
  Findings0027,
  AuditLogReading0029,
  QuarantineWorkflow0030,
  Scans0031,
  Prechecks0032,
  Evaluations0034,
  Rescans0036,
  EvaluationAnswers0042,
  GeneratedCases0043,
  Tables0044,
  KnowledgeGraph0046,
  OutdatedCases0049,
  GraphsByAChatModel0053,
  NamesOfEntities0054,
  SeparateAccounts0057,
  DocumentCounts0070,
  PasswordsNeverShown0065,
  VouchedOwners0058,
  StorageReports0062,
  LiveProcesses0067,
  EmbeddingScales0080,
  ShorterChunks0081,
  ActiveTenants0083,
  EventsByTenant0084,
  DocumentPaths0082,
  ArchiveParts0085,
  CountsOfArchives0086,
  SessionsOfPeople0087,
  Conversations0088,
  SharedAnswers0089,
  AnswersInContext0090,
  ShownContent0091,
  AnswersOfDocuments0092,
  AnswersKeptBefore0093,
  NaturalOrder0094,
];
