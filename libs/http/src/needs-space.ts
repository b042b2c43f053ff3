import {
  applyDecorators,
  Injectable,
  Logger,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { catchError, from, switchMap, type Observable } from 'rxjs';
import { storageLowOf, type FullPlace } from '#libs/common';
import { StorageSpace } from '#libs/storage-space';

const NEEDS_SPACE = Symbol('needs space');

/** Extension of an operation in the description: true where it is refused with 507 while there is too little space. */
export const NEEDS_SPACE_EXTENSION = 'x-needs-space';

/** Marks a route that writes much data, or starts work that does: it is refused while less space is free than the reserve. */
export const NeedsSpace = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(NEEDS_SPACE, true), ApiExtension(NEEDS_SPACE_EXTENSION, true));

/** Asks for space where a route needs it, and tells all processes of a server that says to any route that it is full. @throws `storage.low` */
@Injectable()
export class SpaceInterceptor implements NestInterceptor {
  private readonly logger = new Logger('StorageSpace');

  constructor(
    private readonly reflector: Reflector,
    private readonly space: StorageSpace,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const needs = this.reflector.getAllAndOverride<boolean>(NEEDS_SPACE, [context.getHandler(), context.getClass()]);
    const work = (): Observable<unknown> =>
      next.handle().pipe(catchError((error: unknown) => from(this.passOn(error))));
    return needs === true ? from(this.space.requireSpace()).pipe(switchMap(work)) : work();
  }

  /** An error without a cause repeats what was reported: it must not keep the report alive. */
  private async passOn(error: unknown): Promise<never> {
    const low = storageLowOf(error);
    const place = low?.facts['place'] as FullPlace | undefined;
    if (place !== undefined && place !== 'volume' && low?.cause !== undefined) {
      // A database without space may not take it; then its own answers say the same.
      await this.space.report(place).catch((failure: unknown) => this.logger.warn(`${place}: ${String(failure)}`));
    }
    throw error;
  }
}
