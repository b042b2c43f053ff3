import { Injectable } from '@nestjs/common';
import { InstalledModels, type ChatModel, type NamedModel } from '#libs/ai';
import { evaluationErrors } from '../evaluations.errors.js';

/** The chat model that judges answers and generates cases: the configured one if it writes text of its own, otherwise the first that does. */
@Injectable()
export class WritingModel {
  constructor(private readonly installed: InstalledModels) {}

  /** @throws `evaluations.chat_model_needed` with the pointer of what needs it */
  require(what: string, pointer: string): NamedModel<ChatModel> {
    const found = this.installed.chatModels.all.find(({ model }) => model.descriptor.kind === 'generative');
    if (found !== undefined) return found;
    const { message: detail } = evaluationErrors.chat_model_needed({ what });
    const errors = [{ pointer, code: 'chat_model_needed', detail }];
    throw evaluationErrors.chat_model_needed({ what }, { errors });
  }

  /** The model that was chosen when the work was requested. @throws `evaluations.chat_model_gone` */
  find(id: string): ChatModel {
    const found = this.installed.chatModels.find(id);
    if (found === undefined) throw evaluationErrors.chat_model_gone({ model: id });
    return found;
  }
}
