import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { from, switchMap, type Observable } from 'rxjs';
import { StorageSpace } from '#libs/storage-space';

const NEEDS_SPACE = Symbol('needs space');

/** Extension of an operation in the description: true where it is refused with 507 while there is too little space. */
export const NEEDS_SPACE_EXTENSION = 'x-needs-space';

/** Refuses a route that writes much, or begins work that does, while less space is free than the reserve. */
export const NeedsSpace = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(NEEDS_SPACE, true), ApiExtension(NEEDS_SPACE_EXTENSION, true));

/** @throws `storage.low` */
@Injectable()
export class SpaceInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly space: StorageSpace,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const needs = this.reflector.getAllAndOverride<boolean>(NEEDS_SPACE, [context.getHandler(), context.getClass()]);
    if (needs !== true) return next.handle();
    return from(this.space.requireSpace()).pipe(switchMap(() => next.handle()));
  }
}
