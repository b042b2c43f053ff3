import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** The framework's own messages: what it tells about its start is for anyone who debugs it. */
@Injectable()
export class FrameworkLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    super.debug?.(message, ...rest);
  }
}
