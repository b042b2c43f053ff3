import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, ListQueryDto, Permit, type RequestContext } from 'knowledge-base-service/extension';
import { CountPage, CreateNoteRequest, Note, NotePage, Recount, TodoPage } from './dto/notes.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('Notes')
@Controller('notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Permit('documents:read', { outsider: 'empty' })
  @ApiOperation({ operationId: 'listNotes', summary: 'Lists the notes of the tenant, the newest first.' })
  @ApiOkResponse({ type: NotePage })
  list(@Ctx() ctx: RequestContext, @Query() query: ListQueryDto): Promise<NotePage> {
    return this.notes.list(ctx, query);
  }

  @Post()
  @Permit('documents:write')
  @ApiOperation({ operationId: 'createNote', summary: 'Makes a note.' })
  @ApiCreatedResponse({ type: Note })
  create(@Ctx() ctx: RequestContext, @Body() body: CreateNoteRequest): Promise<Note> {
    return this.notes.create(ctx, body);
  }

  @Post('recount')
  @HttpCode(202)
  @Permit('documents:write')
  @ApiOperation({ operationId: 'recountNotes', summary: 'Has the words of all notes counted anew, in the background.' })
  @ApiAcceptedResponse({ type: Recount })
  recount(@Ctx() ctx: RequestContext): Promise<Recount> {
    return this.notes.recount(ctx);
  }

  @Get('recounts/:id')
  @Permit('documents:write')
  @ApiOperation({ operationId: 'getNoteRecount', summary: 'Says how far a recount is.' })
  @ApiOkResponse({ type: Recount })
  findRecount(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Recount> {
    return this.notes.findRecount(ctx, id);
  }

  @Get('counts')
  @Permit('tenant:observability')
  @ApiOperation({ operationId: 'listNoteCounts', summary: 'Counts the completed documents of each dataset.' })
  @ApiOkResponse({ type: CountPage })
  counts(@Ctx() ctx: RequestContext, @Query() query: ListQueryDto): Promise<CountPage> {
    return this.notes.listCounts(ctx, query);
  }

  @Get('todos/:document_id')
  @Permit('tenant:manage')
  @ApiOperation({ operationId: 'listDocumentTodos', summary: 'Lists the lines of a document that begin with TODO.' })
  @ApiOkResponse({ type: TodoPage })
  todos(@Ctx() ctx: RequestContext, @Param('document_id') id: string, @Query() query: ListQueryDto): Promise<TodoPage> {
    return this.notes.listTodos(ctx, id, query);
  }

  @Get(':id')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getNote', summary: 'Reads a note.' })
  @ApiOkResponse({ type: Note })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Note> {
    return this.notes.get(ctx, id);
  }
}
