import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { AnswerHeaders, ListQueryDto, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  FindPathQuery,
  KgEntity,
  KgEntityPage,
  KgGraphPart,
  KgPath,
  ListEntitiesQuery,
  ReadGraphQuery,
} from './kg-reading.dto.js';
import { KgReadingService } from './kg-reading.service.js';

const TEXT = { schema: { type: 'string' as const } };
const FILES = {
  graphml: { type: 'application/graphml+xml; charset=utf-8', name: 'graph.graphml' },
  csv: { type: 'text/csv; charset=utf-8', name: 'graph.csv' },
} as const;

@ApiTags('Knowledge graph')
@Controller('kg/:id')
export class KgReadingController {
  constructor(private readonly reading: KgReadingService) {}

  /**
   * Read a knowledge graph.
   * @remarks Returns the nodes and edges that are supported by documents which searches currently find. The id is that of the graph or of its
   * dataset. `truncated` is true where the documents name more entities than the graph holds. `GET /documents/{id}/text` returns the passage of a
   * place.
   */
  @Get('graph')
  @RateLimit('default', 2)
  @Permit('datasets:read')
  @AnswerHeaders('Content-Disposition')
  @ApiOperation({ operationId: 'getKnowledgeGraph' })
  @ApiExtraModels(KgGraphPart)
  @ApiOkResponse({
    description: 'The graph in the requested form.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(KgGraphPart) } },
      'application/graphml+xml': TEXT,
      'text/csv': TEXT,
    },
  })
  async graph(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ReadGraphQuery,
  ): Promise<StreamableFile> {
    if (query.format === 'json') {
      const pieces = await this.reading.writePart(ctx, id, query);
      const type = 'application/json; charset=utf-8';
      return new StreamableFile(Readable.from(pieces, { objectMode: false }), { type });
    }
    const { type, name } = FILES[query.format];
    const text = await this.reading.exportPart(ctx, id, query, query.format);
    const options = { type, disposition: `attachment; filename="${name}"` };
    return new StreamableFile(Readable.from([text], { objectMode: false }), options);
  }

  /**
   * List entities of a knowledge graph.
   * @remarks Ordered by descending PageRank.
   */
  @Get('entities')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listKnowledgeGraphEntities' })
  entities(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListEntitiesQuery,
  ): Promise<KgEntityPage> {
    return this.reading.listEntities(ctx, id, query);
  }

  /**
   * Read an entity.
   * @remarks Returns the places that name the entity (`skip` and `limit` apply to them), the other forms of its name and its edges.
   */
  @Get('entities/:entity_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getKnowledgeGraphEntity' })
  entity(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('entity_id') entityId: string,
    @Query() page: ListQueryDto,
  ): Promise<KgEntity> {
    return this.reading.readEntity(ctx, id, entityId, page);
  }

  /**
   * Find a path between two entities.
   * @remarks Finds the shortest path, over edges of every kind in either direction.
   */
  @Get('paths')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'findKnowledgeGraphPath' })
  paths(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: FindPathQuery): Promise<KgPath> {
    return this.reading.findPath(ctx, id, query);
  }
}
