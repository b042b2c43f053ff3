import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DatasetQuestionPage, ListQuestionsQuery } from './question.dto.js';
import { QuestionsService } from './questions.service.js';

@ApiTags('Chat')
@Controller('datasets/:id/questions')
export class QuestionsController {
  constructor(private readonly questions: QuestionsService) {}

  /**
   * List questions that a dataset answers badly.
   * @remarks Questions of all callers that were refused or whose answers were rated down, with counts, kept for `CONVERSATIONS_KEPT_DAYS`.
   * Questions are removed together with their conversation or membership. The wording of other callers' questions is shown only with
   * `conversations:review` and only where the caller sees every dataset that was asked; reading it is recorded in the audit log. `case` of a
   * question is a case for `PATCH /evaluations/case-sets/{case_set_id}` (`add`).
   */
  @Get()
  @Permit('datasets:write')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'listDatasetQuestions' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListQuestionsQuery,
  ): Promise<DatasetQuestionPage> {
    return this.questions.list(ctx, id, query);
  }
}
