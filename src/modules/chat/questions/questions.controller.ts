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
   * @remarks Questions of everybody that were refused, or whose answers are rated down, with counts, for `CONVERSATIONS_KEPT_DAYS`; with a
   * conversation or a membership that goes, its questions go. Words of others are shown only with `conversations:review` and only where the
   * caller sees every dataset that was asked, and that stands in the audit log. `case` of a question is one for
   * `PATCH /evaluations/case-sets/{case_set_id}` (`add`).
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
