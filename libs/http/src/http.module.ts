import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Drain } from './drain/drain.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { SpaceInterceptor } from './needs-space.js';
import { ProblemFilter } from './problem.filter.js';
import { QueryParametersInterceptor } from './query-parameters.js';
import { RateLimitInterceptor, RequestCounter } from './rate-limit.js';
import { LongAnswers } from './streams/long-answers.js';
import { StreamPlaces } from './streams/stream-places.js';
import { RequestValidationPipe } from './validation.js';

/** Everything that all routes share. Interceptors run in the order in which they are here. */
@Global()
@Module({
  providers: [
    Drain,
    IdempotencyService,
    RequestCounter,
    StreamPlaces,
    LongAnswers,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: QueryParametersInterceptor },
    { provide: APP_INTERCEPTOR, useClass: SpaceInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Drain, IdempotencyService, RequestCounter, LongAnswers],
})
export class HttpModule {}
