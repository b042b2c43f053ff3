import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/common';
import { UsageController } from './report/usage.controller.js';
import { UsageRepository } from './report/usage.repository.js';
import { UsageService } from './report/usage.service.js';

/** Budgets and usage of remote models. It needs `DatasetNames` from the datasets module, which provides it globally. */
@Module({
  controllers: [UsageController],
  providers: [UsageRepository, UsageService, { provide: Clock, useClass: SystemClock }],
})
export class UsageModule {}
