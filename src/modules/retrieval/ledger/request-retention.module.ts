import { Module } from '@nestjs/common';
import { ExpiredRequests } from './expired-requests.js';

/** What a process that works does for the ledger of requests. */
@Module({ providers: [ExpiredRequests] })
export class RequestRetentionModule {}
