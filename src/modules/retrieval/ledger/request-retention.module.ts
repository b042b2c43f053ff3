import { Module } from '@nestjs/common';
import { ExpiredRequests } from './expired-requests.task.js';
import { OldRequests } from './old-requests.repository.js';

/** What a process that works does for the ledger of requests. */
@Module({ providers: [ExpiredRequests, OldRequests] })
export class RequestRetentionModule {}
