import { Module } from '@nestjs/common';
import { ExpiredRequests } from './expired-requests.task.js';
import { OldRequests } from './old-requests.repository.js';

/** The background work for the ledger of requests, for workers. */
@Module({ providers: [ExpiredRequests, OldRequests] })
export class RequestRetentionModule {}
