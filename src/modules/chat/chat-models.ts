import { Injectable } from '@nestjs/common';
import { ChatModel } from '#libs/ai';
import { NOWHERE_TENANT } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { chatErrors } from './chat.errors.js';
import type { ModelList } from './dto/model.dto.js';

/** What clients send that must name some model. */
const DEFAULT_NAME = 'default';

/** The chat models by the names that `model` may have. */
@Injectable()
export class ChatModels {
  private readonly id: string;
  private readonly created = Math.floor(Date.now() / 1_000);

  constructor(private readonly model: ChatModel) {
    this.id = `${model.descriptor.provider}-${model.descriptor.model}`;
  }

  /** The models; none in a tenant that the caller does not belong to. */
  list(ctx: RequestContext): ModelList {
    const { provider } = this.model.descriptor;
    const model = { id: this.id, object: 'model' as const, created: this.created, owned_by: provider };
    return { object: 'list', data: ctx.tenantId === NOWHERE_TENANT ? [] : [model] };
  }

  /** The id of the model that a request names; without a name, or by `default`, the configured one. @throws `chat.model_not_found` */
  resolve(name: string | null | undefined): string {
    if (name === null || name === undefined || name === DEFAULT_NAME || name === this.id) return this.id;
    throw chatErrors.model_not_found({ model: name, available: [this.id, DEFAULT_NAME] });
  }
}
